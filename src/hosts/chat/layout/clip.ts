import { charactersOf, characterWidth, textWidth } from "../../../terminal/index.ts";

/** Text on one line: what does not fit is left out, and that is said. */
export function clip(text: string, width: number): string {
  // A very long text need not be measured to its end.
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
