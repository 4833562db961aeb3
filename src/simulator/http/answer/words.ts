/** A text as a model streams it: one word per chunk, each with the space in front of it; joined, they are the text again. */
export function splitWords(text: string): readonly string[] {
  return text.match(/\s*\S+\s*$|\s*\S+/g) ?? (text === "" ? [] : [text]);
}
