import { charactersOf, characterWidth, textWidth } from "../../../terminal/index.ts";

/** Text on one line, shortened with … if it does not fit. */
export function clip(text: string, width: number): string {
  // A very long text need not be measured.
  if (text.length <= width * 2 && textWidth(text) <= width) return text;
  let kept = "";
  let used = 1;
  for (const char of charactersOf(text)) {
    used += characterWidth(char);
    if (used > width) break;
    kept += char;
  }
  return `${kept}…`;
}
