import type { TextProps } from "ink";
import type { Style } from "../layout/line.ts";

/** How styles look on the terminal. */
export type Theme = Readonly<Partial<Record<Style, Pick<TextProps, "bold" | "italic" | "dimColor" | "color">>>>;

const COLOURED: Theme = {
  heading: { bold: true, color: "cyan" },
  bold: { bold: true },
  italic: { italic: true },
  code: { color: "cyan" },
  dim: { dimColor: true },
  you: { bold: true },
  error: { color: "red" },
  warn: { color: "yellow" },
  good: { color: "green" },
  keyword: { color: "magenta" },
  string: { color: "green" },
  comment: { dimColor: true },
  type: { color: "yellow" },
  name: { color: "cyan" },
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * With `NO_COLOR` (present and not empty, see no-color.org) no other text attributes either: marks and words carry the same
 * information.
 */
export function themeFor({ NO_COLOR }: Environment): Theme {
  return NO_COLOR === undefined || NO_COLOR === "" ? COLOURED : {};
}
