import { MOST_TEXT_CHARS } from "./bounds.ts";

/** The beginning of a body that came as bytes. What names an error is ASCII in every provider's format. */
export function decodeBytes(view: ArrayBufferView): string {
  const length = Math.min(view.byteLength, MOST_TEXT_CHARS);
  return String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset, length));
}

/** Some print a text as a JSON string. What starts with a quote is nothing else, or no JSON. */
export function unquoted(text: string): string {
  if (text.length > MOST_TEXT_CHARS) return text;
  try {
    return JSON.parse(text) as string;
  } catch {
    return text;
  }
}
