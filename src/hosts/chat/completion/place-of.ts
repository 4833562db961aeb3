import type { Editor } from "../state/editor.ts";

/** What the word before the cursor can be completed to. */
export type CompletionPlace = {
  /** Start of the word. */
  readonly from: number;
  /** With its slash or `@`. */
  readonly word: string;
} & (
  | { readonly kind: "command" | "file" }
  /** `words`: those between the command and this one. */
  | { readonly kind: "argument"; readonly name: string; readonly words: readonly string[] }
);

/** No path in a message is longer. */
const LONGEST_WORD = 300;

/** Undefined: nothing to complete at the cursor. */
export function placeOf({ text, cursor }: Pick<Editor, "text" | "cursor">): CompletionPlace | undefined {
  // Inside a word: its end is not for us to guess.
  if (/\S/.test(text.charAt(cursor))) return undefined;
  const before = text.slice(0, cursor);
  if (before.startsWith("/") && !before.includes("\n")) return placeInCommand(before);
  const word = /(?:^|\s)(@[^\s@]*)$/.exec(before.slice(-LONGEST_WORD))?.[1];
  return word === undefined ? undefined : { kind: "file", from: cursor - word.length, word };
}

function placeInCommand(before: string): CompletionPlace {
  const [name = "", ...words] = before.slice(1).split(/[ \t]+/);
  const word = words.pop();
  if (word === undefined) return { kind: "command", from: 0, word: before };
  return { kind: "argument", from: before.length - word.length, word, name, words };
}
