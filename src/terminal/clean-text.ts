import { CleanStream } from "./clean-stream.ts";

/**
 * Foreign text made harmless for a terminal: nothing in it moves the cursor, colours, beeps or hides. Lines stay lines, and a tab
 * is a space. The same rules as for a text that streams.
 */
export function cleanText(text: string): string {
  return cleanWhole(text, "shown").replaceAll("\t", " ");
}

/** A text that somebody typed or pasted, as it is kept: without what only a terminal would act on. Tabs stay. */
export function cleanInput(text: string): string {
  return cleanWhole(text, "kept");
}

function cleanWhole(text: string, purpose: "shown" | "kept"): string {
  const stream = new CleanStream(purpose);
  return stream.write(text) + stream.end();
}
