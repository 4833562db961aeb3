import type { Edit } from "./state/editor.ts";

/** A key as Ink reads it; only what matters here. */
export interface KeyPress {
  readonly input: string;
  readonly key: {
    readonly return?: boolean;
    readonly escape?: boolean;
    readonly ctrl?: boolean;
    readonly meta?: boolean;
    readonly shift?: boolean;
    readonly upArrow?: boolean;
    readonly downArrow?: boolean;
    readonly leftArrow?: boolean;
    readonly rightArrow?: boolean;
    readonly pageUp?: boolean;
    readonly pageDown?: boolean;
    readonly home?: boolean;
    readonly end?: boolean;
    readonly tab?: boolean;
    readonly backspace?: boolean;
    readonly delete?: boolean;
  };
}

export interface Situation {
  /** The loader shows. */
  readonly isWaiting: boolean;
  readonly isBusy: boolean;
  readonly isEmpty: boolean;
  readonly endsWithBackslash: boolean;
  readonly isPasting: boolean;
}

export type Intent =
  | { readonly type: "edit"; readonly edit: Edit }
  | { readonly type: "paste"; readonly isPasting: boolean }
  | { readonly type: "scroll"; readonly pages: number }
  | {
      readonly type:
        | "submit"
        | "continue-line"
        | "retry-now"
        | "cancel-retry"
        | "abort"
        | "interrupt"
        | "leave"
        | "redraw"
        | "toggle-expanded";
    };

const PASTE_START = "[200~";
const PASTE_END = "[201~";

/**
 * Over a slow line, or typed before we were there to read it, the last letters and Enter come in one piece. A line end further
 * inside is of a text that was pasted into a terminal which does not mark that, and sends nothing.
 */
export function splitPress(press: KeyPress): readonly KeyPress[] {
  const { input, key } = press;
  const text = input.slice(0, -1);
  if (key.return === true || text === "" || !/[\r\n]$/.test(input) || /[\r\n]/.test(text)) return [press];
  return [
    { input: text, key },
    { input: "\r", key: { return: true } },
  ];
}

/** What a key means now. Undefined: nothing. */
export function intentOf(press: KeyPress, situation: Situation): Intent | undefined {
  const { input, key } = press;
  if (input === PASTE_START || input === PASTE_END) return { type: "paste", isPasting: input === PASTE_START };
  if (situation.isPasting) return pasted(press);
  if (key.return === true) return onReturn(press, situation);
  if (key.escape === true) return onEscape(situation);
  if (key.ctrl === true) return onCtrl(input, situation);
  if (key.pageUp === true) return { type: "scroll", pages: -1 };
  if (key.pageDown === true) return { type: "scroll", pages: 1 };
  const move = moveOf(press);
  if (move !== undefined) return { type: "edit", edit: { type: move } };
  if (key.meta === true || key.tab === true || input === "") return undefined;
  // A line feed by itself is Ctrl-J, and what some terminals send for Shift+Enter.
  return { type: "edit", edit: input === "\n" ? { type: "newline" } : { type: "insert", text: input } };
}

/** Whatever is pasted is text, line ends too: nothing of it sends or leaves. */
function pasted({ input, key }: KeyPress): Intent | undefined {
  if (key.return === true) return { type: "edit", edit: { type: "newline" } };
  return input === "" || key.ctrl === true ? undefined : { type: "edit", edit: { type: "insert", text: input } };
}

function onReturn({ key }: KeyPress, { isWaiting, isEmpty, endsWithBackslash }: Situation): Intent | undefined {
  if (key.meta === true || key.shift === true) return { type: "edit", edit: { type: "newline" } };
  if (endsWithBackslash) return { type: "continue-line" };
  if (!isEmpty) return { type: "submit" };
  return isWaiting ? { type: "retry-now" } : undefined;
}

/** S10: the loader has Esc while it shows; then it means again what it meant before. */
function onEscape({ isWaiting, isBusy }: Situation): Intent {
  if (isWaiting) return { type: "cancel-retry" };
  return isBusy ? { type: "abort" } : { type: "edit", edit: { type: "clear" } };
}

const CTRL_EDITS: Readonly<Record<string, Exclude<Edit["type"], "insert">>> = {
  a: "home",
  e: "end",
  b: "left",
  f: "right",
  p: "up",
  n: "down",
  h: "backspace",
  u: "cut-before",
  k: "cut-after",
  w: "cut-word",
  j: "newline",
};

function onCtrl(letter: string, { isEmpty }: Situation): Intent | undefined {
  if (letter === "c") return { type: "interrupt" };
  if (letter === "d") return isEmpty ? { type: "leave" } : { type: "edit", edit: { type: "delete" } };
  if (letter === "o") return { type: "toggle-expanded" };
  if (letter === "l") return { type: "redraw" };
  const change = CTRL_EDITS[letter];
  return change === undefined ? undefined : { type: "edit", edit: { type: change } };
}

function moveOf({ input, key }: KeyPress): Exclude<Edit["type"], "insert"> | undefined {
  if (key.upArrow === true) return "up";
  if (key.downArrow === true) return "down";
  if (key.leftArrow === true) return key.meta === true ? "word-left" : "left";
  if (key.rightArrow === true) return key.meta === true ? "word-right" : "right";
  if (key.home === true) return "home";
  if (key.end === true) return "end";
  // Terminals say 0x7f for the backspace key, and Ink calls that `delete`.
  if (key.backspace === true || key.delete === true) return key.meta === true ? "cut-word" : "backspace";
  if (key.meta === true && input === "b") return "word-left";
  if (key.meta === true && input === "f") return "word-right";
  return undefined;
}
