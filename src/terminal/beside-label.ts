import { textWidth } from "./text-width.ts";
import { wrapText } from "./wrap-text.ts";

interface Labelled {
  readonly label: string;
  readonly text: string;
  /** Columns for the label, with the gap after it. */
  readonly labelColumns: number;
  /** Columns for the whole line. */
  readonly columns: number;
  /** Styles the label. */
  readonly style: (label: string) => string;
}

/** A label and its text side by side, each wrapped in its own column. */
export function besideLabel({ label, text, labelColumns, columns, style }: Labelled): string[] {
  const left = wrapText(label, labelColumns - 1);
  const right = wrapText(text, columns - labelColumns);
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => {
    const name = left[index] ?? "";
    return `${style(name)}${" ".repeat(labelColumns - textWidth(name))}${right[index] ?? ""}`.trimEnd();
  });
}
