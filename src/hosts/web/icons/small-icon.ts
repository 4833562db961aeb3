import { type FunctionalComponent, h } from "vue";
import { type IconName, PATHS } from "./paths.ts";

/** All strokes of an icon in one path, and what is filled. */
const SHAPES = new Map<string, { readonly d: string; readonly isFilled: boolean }>(
  Object.entries(PATHS).map(([name, paths]) => {
    const isFilled = paths.every((path) => path.startsWith("F"));
    return [name, { d: paths.map((path) => path.replace(/^F/, "")).join(""), isFilled }];
  }),
);

/** An icon of two elements for lists with hundreds of them; otherwise as `Icon`. */
export const SmallIcon: FunctionalComponent<{ readonly name: IconName }> = ({ name }) => {
  const shape = SHAPES.get(name);
  return h(
    "svg",
    { class: shape?.isFilled ? "small-icon filled" : "small-icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
    [h("path", { d: shape?.d })],
  );
};
SmallIcon.props = ["name"];
