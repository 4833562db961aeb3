import { type FunctionalComponent, h } from "vue";
import { type IconName, PATHS } from "./paths.ts";

/** An icon beside a text, hidden from screen readers. A button with an icon alone needs `aria-label`. */
export const Icon: FunctionalComponent<{ readonly name: IconName; readonly size?: number }> = ({ name, size = 16 }) =>
  h(
    "svg",
    {
      class: `icon icon-${name}`,
      viewBox: "0 0 24 24",
      width: size,
      height: size,
      fill: "none",
      stroke: "currentColor",
      "stroke-width": 1.9,
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
      "aria-hidden": "true",
    },
    PATHS[name].map((path) =>
      path.startsWith("F")
        ? h("path", { d: path.slice(1), fill: "currentColor", stroke: "none" })
        : h("path", { d: path }),
    ),
  );
Icon.props = ["name", "size"];
