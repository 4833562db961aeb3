// biome-ignore-start lint/suspicious/noControlCharactersInRegex: control characters are what this file is about.
/** Whole escape sequences, so that no `[31m` is left behind: CSI, OSC up to its end, and the two-character ones. */
const ESCAPES =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u009b[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b./g;
/** The other control characters, and those that turn the direction of a line round or hide in it. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: as above.

/** Foreign text made harmless for a terminal: nothing in it moves the cursor, colours, beeps or hides. Lines stay lines. */
export function cleanText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(ESCAPES, "").replaceAll("\t", " ").replace(CONTROLS, "");
}
