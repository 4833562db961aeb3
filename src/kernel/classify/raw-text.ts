import { MOST_JSON_CHARS, MOST_TEXT_CHARS } from "./bounds.ts";

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

/** Colours of a terminal, which may stand within a word or an object. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they start with one.
const COLOUR = /\u001b\[[\d;]{0,16}m/g;
/** Letters outside ASCII as Python's `json.dumps` writes them; quotes and backslashes stay as they are. */
const ESCAPED_LETTER = /\\{1,4}u(?!00[0-7])([\da-f]{4})/gi;

/** A text without what a terminal or a log has put between its letters or in their place. */
export function withoutEscapes(text: string): string {
  if (text.length > MOST_JSON_CHARS) return text;
  const plain = text.includes("\u001b[") ? text.replace(COLOUR, "") : text;
  if (!plain.includes("\\u")) return plain;
  return plain.replace(ESCAPED_LETTER, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
