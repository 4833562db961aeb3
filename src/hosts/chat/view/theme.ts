import type { TextProps } from "ink";
import type { Style } from "../layout/line.ts";

/** What a style is on the terminal. */
export type Theme = Readonly<Record<Style, Pick<TextProps, "bold" | "italic" | "dimColor" | "color">>>;

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
};

/** Who wants no colour gets no other codes for letters either. Marks and words tell everything that colours do. */
const PLAIN: Theme = {
  heading: {},
  bold: {},
  italic: {},
  code: {},
  dim: {},
  you: {},
  error: {},
  warn: {},
  good: {},
};

type Environment = Readonly<Record<string, string | undefined>>;

/** As no-color.org has it: present and not empty. */
export function themeFor({ NO_COLOR }: Environment): Theme {
  return NO_COLOR === undefined || NO_COLOR === "" ? COLOURED : PLAIN;
}
