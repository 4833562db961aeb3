import type { KeyName, KeyPress } from "./keyboard/key-press.ts";
import type { Edit } from "./state/editor.ts";

export interface Situation {
  /** The loader shows. */
  readonly isWaiting: boolean;
  readonly isBusy: boolean;
  readonly isEmpty: boolean;
  readonly endsWithBackslash: boolean;
}

export type Intent =
  | { readonly type: "edit"; readonly edit: Edit }
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

/** What a key means now. Undefined: nothing. */
export function intentOf(press: KeyPress, situation: Situation): Intent | undefined {
  switch (press.type) {
    case "text":
      return { type: "edit", edit: { type: "insert", text: press.text } };
    case "chord":
      return press.ctrl === true ? onCtrl(press.letter, situation) : onAlt(press.letter);
    case "key":
      return onKey(press, situation);
    default:
      return press satisfies never;
  }
}

type NamedKey = Extract<KeyPress, { type: "key" }>;

function onKey(press: NamedKey, situation: Situation): Intent | undefined {
  switch (press.name) {
    case "enter":
      return onEnter(press, situation);
    case "escape":
      return onEscape(situation);
    case "page-up":
      return { type: "scroll", pages: -1 };
    case "page-down":
      return { type: "scroll", pages: 1 };
    case "tab":
      return undefined;
    default:
      return { type: "edit", edit: { type: moveOf(press.name, press.alt === true || press.ctrl === true) } };
  }
}

function onEnter({ alt, shift }: NamedKey, { isWaiting, isEmpty, endsWithBackslash }: Situation): Intent | undefined {
  if (alt === true || shift === true) return { type: "edit", edit: { type: "newline" } };
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

function onAlt(letter: string): Intent | undefined {
  if (letter === "b") return { type: "edit", edit: { type: "word-left" } };
  return letter === "f" ? { type: "edit", edit: { type: "word-right" } } : undefined;
}

type MovingKey = Exclude<KeyName, "enter" | "escape" | "page-up" | "page-down" | "tab">;

/** With Alt or Ctrl by words. */
function moveOf(name: MovingKey, isByWord: boolean): Exclude<Edit["type"], "insert"> {
  if (!isByWord) return name;
  if (name === "left") return "word-left";
  if (name === "right") return "word-right";
  return name === "backspace" ? "cut-word" : name;
}
