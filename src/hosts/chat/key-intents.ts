import type { KeyName, KeyPress } from "./keyboard/key-press.ts";
import type { Edit } from "./state/editor.ts";

/** The part of the state that the meaning of a key depends on. */
export interface KeyContext {
  /** A loader shows. */
  readonly isWaiting: boolean;
  readonly isBusy: boolean;
  /** `open`: nothing is selected in it. Else what the selected entry is. */
  readonly menu: "closed" | "open" | "command" | "argument" | "file";
  /** `lent`: the terminal has it, for selecting text, until the next key. */
  readonly mouse: "ours" | "lent" | "off";
  readonly isEmpty: boolean;
  readonly endsWithBackslash: boolean;
}

export type Intent =
  | { readonly type: "edit"; readonly edit: Edit }
  | { readonly type: "scroll"; readonly by: number; readonly unit: "pages" | "lines" }
  | { readonly type: "choose"; readonly by: 1 | -1 }
  | {
      readonly type:
        | "submit"
        | "complete"
        | "accept"
        | "accept-and-submit"
        | "close-menu"
        | "retry-now"
        | "cancel-retry"
        | "abort"
        | "interrupt"
        | "suspend"
        | "lend-mouse"
        | "leave"
        | "redraw"
        | "toggle-expanded";
    };

type EditName = Exclude<Edit["type"], "insert" | "replace">;
type NamedKey = Extract<KeyPress, { type: "key" }>;

/** What a key means now. Undefined: nothing. */
export function intentOf(press: KeyPress, context: KeyContext): Intent | undefined {
  switch (press.type) {
    case "text":
      return { type: "edit", edit: { type: "insert", text: press.text } };
    case "chord":
      return press.ctrl === true ? onCtrl(press.letter, context) : editing(ALT_EDITS[press.letter]);
    case "mouse":
      return onMouse(press.what, context);
    case "key":
      return onKey(press, context);
    default:
      return press satisfies never;
  }
}

function editing(type: EditName | undefined): Intent | undefined {
  return type === undefined ? undefined : { type: "edit", edit: { type } };
}

/** Lines per step of the wheel, as in most programs. */
const WHEEL_LINES = 3;

/** A press of a button wants to select text, which only the terminal can do. */
function onMouse(what: Extract<KeyPress, { type: "mouse" }>["what"], { mouse }: KeyContext): Intent | undefined {
  if (what === "button") return mouse === "ours" ? { type: "lend-mouse" } : undefined;
  return { type: "scroll", by: what === "wheel-up" ? -WHEEL_LINES : WHEEL_LINES, unit: "lines" };
}

function onKey(press: NamedKey, context: KeyContext): Intent | undefined {
  switch (press.name) {
    case "enter":
      return onEnter(press, context);
    case "escape":
      return onEscape(context);
    case "page-up":
      return { type: "scroll", by: -1, unit: "pages" };
    case "page-down":
      return { type: "scroll", by: 1, unit: "pages" };
    case "tab":
      return press.shift === true ? moveOr(undefined, -1, context) : { type: "complete" };
    case "up":
      return moveOr("up", -1, context);
    case "down":
      return moveOr("down", 1, context);
    default:
      return editing(((press.alt === true || press.ctrl === true) && BY_WORD[press.name]) || press.name);
  }
}

/**
 * In the menu while it shows, else in the input. While the terminal has the mouse, most send these keys for the wheel, because this
 * is the alternate screen.
 */
function moveOr(edit: EditName | undefined, by: 1 | -1, { menu, mouse }: KeyContext): Intent | undefined {
  if (mouse === "lent") return { type: "scroll", by: by * WHEEL_LINES, unit: "lines" };
  return menu === "closed" ? editing(edit) : { type: "choose", by };
}

function onEnter({ alt, shift }: NamedKey, context: KeyContext): Intent | undefined {
  const { isWaiting, isEmpty, endsWithBackslash, menu } = context;
  if (alt === true || shift === true) return editing("newline");
  if (menu === "command") return { type: "accept-and-submit" };
  if (menu === "argument" || menu === "file") return { type: "accept" };
  if (endsWithBackslash) return editing("continue-line");
  if (!isEmpty) return { type: "submit" };
  return isWaiting ? { type: "retry-now" } : undefined;
}

/** S10: Esc belongs to the loader while it shows, and means what it meant before afterwards. */
function onEscape({ isWaiting, isBusy, menu }: KeyContext): Intent | undefined {
  if (isWaiting) return { type: "cancel-retry" };
  if (menu !== "closed") return { type: "close-menu" };
  return isBusy ? { type: "abort" } : editing("clear");
}

const CTRL_EDITS: Readonly<Record<string, EditName>> = {
  a: "home",
  e: "end",
  b: "left",
  f: "right",
  h: "backspace",
  u: "cut-before",
  k: "cut-after",
  w: "cut-word",
  j: "newline",
};
const ALT_EDITS: Readonly<Record<string, EditName>> = { b: "word-left", f: "word-right" };
/** With Alt or Ctrl. */
const BY_WORD: Readonly<Partial<Record<KeyName, EditName>>> = {
  left: "word-left",
  right: "word-right",
  backspace: "cut-word",
};

function onCtrl(letter: string, context: KeyContext): Intent | undefined {
  const { isEmpty } = context;
  if (letter === "p") return moveOr("up", -1, context);
  if (letter === "n") return moveOr("down", 1, context);
  if (letter === "c") return { type: "interrupt" };
  if (letter === "z") return { type: "suspend" };
  if (letter === "d") return isEmpty ? { type: "leave" } : editing("delete");
  if (letter === "o") return { type: "toggle-expanded" };
  return letter === "l" ? { type: "redraw" } : editing(CTRL_EDITS[letter]);
}
