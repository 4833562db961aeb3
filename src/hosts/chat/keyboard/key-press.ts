export type KeyName =
  | "enter"
  | "escape"
  | "tab"
  | "backspace"
  | "delete"
  | "up"
  | "down"
  | "left"
  | "right"
  | "home"
  | "end"
  | "page-up"
  | "page-down";

export interface Modifiers {
  readonly shift?: boolean;
  readonly alt?: boolean;
  readonly ctrl?: boolean;
}

/** One key press, whatever bytes the terminal sent for it. */
export type KeyPress =
  /** Typed or pasted. Line ends and tabs in it are plain text. */
  | { readonly type: "text"; readonly text: string }
  | ({ readonly type: "key"; readonly name: KeyName } & Modifiers)
  /** A button was pressed, or the wheel was turned by one step. */
  | { readonly type: "mouse"; readonly what: "button" | "wheel-up" | "wheel-down" }
  /** A letter with Ctrl or Alt, in lower case. */
  | ({ readonly type: "chord"; readonly letter: string } & Modifiers);
