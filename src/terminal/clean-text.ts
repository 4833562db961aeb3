import { CleanStream } from "./clean-stream.ts";

/**
 * Makes untrusted text safe for a terminal: nothing in it moves the cursor, sets colours, beeps or hides. Lines stay, tabs become
 * spaces. The rules are those of `CleanStream`.
 */
export function cleanText(text: string): string {
  return cleanWhole(text, "shown").replaceAll("\t", " ");
}

/** Typed or pasted text as it is stored: without terminal control sequences. Tabs stay. */
export function cleanInput(text: string): string {
  return cleanWhole(text, "kept");
}

function cleanWhole(text: string, purpose: "shown" | "kept"): string {
  const stream = new CleanStream(purpose);
  return stream.write(text) + stream.end();
}
