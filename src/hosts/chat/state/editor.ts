import { charactersOf, cleanInput } from "../../../terminal/index.ts";

/** The input: text with a cursor, and the history of sent messages. Immutable. */
export interface Editor {
  readonly text: string;
  /** In UTF-16 units; never inside a character. */
  readonly cursor: number;
  /** Oldest first. */
  readonly history: readonly string[];
  /** Position in the history; `history.length`: the current text. */
  readonly place: number;
  /** The current text, while the history is browsed. */
  readonly draft: string;
}

export type Edit =
  | { readonly type: "insert"; readonly text: string }
  /** Replaces the text from there to the cursor. */
  | { readonly type: "replace"; readonly from: number; readonly text: string }
  | { readonly type: keyof typeof EDITS };

export function emptyEditor(history: readonly string[] = []): Editor {
  return { text: "", cursor: 0, history, place: history.length, draft: "" };
}

const EDITS = {
  newline: (editor) => replace(editor, [editor.cursor, editor.cursor], "\n"),
  /** Replaces the backslash before the cursor. */
  "continue-line": (editor) => replace(editor, [before(editor), editor.cursor], "\n"),
  backspace: (editor) => replace(editor, [before(editor), editor.cursor], ""),
  delete: (editor) => replace(editor, [editor.cursor, after(editor)], ""),
  "cut-before": (editor) => replace(editor, [lineStart(editor.text, editor.cursor), editor.cursor], ""),
  "cut-after": (editor) => replace(editor, [editor.cursor, lineEnd(editor.text, editor.cursor)], ""),
  "cut-word": (editor) => replace(editor, [wordLeft(editor), editor.cursor], ""),
  clear: (editor) => emptyEditor(editor.history),
  left: (editor) => ({ ...editor, cursor: before(editor) }),
  right: (editor) => ({ ...editor, cursor: after(editor) }),
  "word-left": (editor) => ({ ...editor, cursor: wordLeft(editor) }),
  "word-right": (editor) => ({ ...editor, cursor: wordRight(editor) }),
  home: (editor) => ({ ...editor, cursor: lineStart(editor.text, editor.cursor) }),
  end: (editor) => ({ ...editor, cursor: lineEnd(editor.text, editor.cursor) }),
  up: moveUp,
  down: moveDown,
} satisfies Readonly<Record<string, (editor: Editor) => Editor>>;

export function edit(editor: Editor, change: Edit): Editor {
  if (change.type !== "insert" && change.type !== "replace") return EDITS[change.type](editor);
  const from = change.type === "replace" ? change.from : editor.cursor;
  // Sent as written; the layout makes it safe to show.
  return replace(editor, [from, editor.cursor], cleanInput(change.text));
}

/** Adds to the history, unless it repeats the last entry, and clears the input. */
export function remember({ history }: Editor, sent: string): Editor {
  return emptyEditor(history.at(-1) === sent ? history : [...history, sent]);
}

function replace(editor: Editor, [from, to]: readonly [number, number], by: string): Editor {
  const text = editor.text.slice(0, from) + by + editor.text.slice(to);
  return { ...editor, text, cursor: from + by.length };
}

/** Up and down move the cursor between lines; from the first and the last line they browse the history. */
function moveUp(editor: Editor): Editor {
  const { text, cursor } = editor;
  const start = lineStart(text, cursor);
  if (start === 0) return recall(editor, editor.place - 1);
  const above = lineStart(text, start - 1);
  return { ...editor, cursor: snap(text, Math.min(above + (cursor - start), start - 1)) };
}

function moveDown(editor: Editor): Editor {
  const { text, cursor } = editor;
  const end = lineEnd(text, cursor);
  if (end === text.length) return recall(editor, editor.place + 1);
  const column = cursor - lineStart(text, cursor);
  return { ...editor, cursor: snap(text, Math.min(end + 1 + column, lineEnd(text, end + 1))) };
}

function recall(editor: Editor, place: number): Editor {
  const { history } = editor;
  if (place < 0 || place > history.length) return editor;
  const draft = editor.place === history.length ? editor.text : editor.draft;
  const text = history[place] ?? draft;
  return { ...editor, text, cursor: text.length, place, draft };
}

function lineStart(text: string, at: number): number {
  // A negative start counts as 0 and would find a newline after the cursor.
  return at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

function wordLeft({ text, cursor }: Editor): number {
  const isSpace = (at: number): boolean => /\s/.test(text.charAt(at));
  let at = cursor;
  while (at > 0 && isSpace(at - 1)) at -= 1;
  while (at > 0 && !isSpace(at - 1)) at -= 1;
  return at;
}

/** Start of the character before the cursor: an emoji or an accented letter is one character. */
function before({ text, cursor }: Editor): number {
  return cursor === 0 ? 0 : snap(text, cursor - 1);
}

function wordRight({ text, cursor }: Editor): number {
  return cursor + (/^\s*\S*/.exec(text.slice(cursor))?.[0].length ?? 0);
}

function after({ text, cursor }: Editor): number {
  const [character = "\n"] = charactersOf(text.slice(cursor, lineEnd(text, cursor)));
  return Math.min(text.length, cursor + character.length);
}

/** Start of the character that `cursor` points into. */
function snap(text: string, cursor: number): number {
  const end = lineEnd(text, cursor);
  if (cursor === end) return cursor;
  let at = lineStart(text, cursor);
  for (const character of charactersOf(text.slice(at, end))) {
    if (at + character.length > cursor) break;
    at += character.length;
  }
  return at;
}
