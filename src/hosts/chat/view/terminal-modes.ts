type Environment = Readonly<Record<string, string | undefined>>;

/** Sequences that turn a mode of the terminal on and off. */
export interface Mode {
  readonly on: string;
  readonly off: string;
}

/**
 * The alternate screen, as editors use it: on exit the terminal shows its earlier content again. And bracketed paste, so that a
 * line end in pasted text does not send.
 */
const SCREEN: Mode = { on: "\u001b[?1049h\u001b[?2004h\u001b[2J\u001b[H", off: "\u001b[?2004l\u001b[?1049l" };

/**
 * Kitty's keyboard protocol, which distinguishes Shift+Enter from Enter. Ink would query the terminal first, and reads keys pressed
 * meanwhile twice.
 */
const BETTER_KEYS: Mode = { on: "\u001b[>1u", off: "\u001b[<u" };

/** Reports of buttons and the wheel, with numbers of any size for the position. */
export const MOUSE: Mode = { on: "\u001b[?1000h\u001b[?1006h", off: "\u001b[?1006l\u001b[?1000l" };

/** All that the chat needs, except the mouse, which has a switch. */
export function modesFor(env: Environment): Mode {
  const keys = knowsBetterKeys(env) ? BETTER_KEYS : { on: "", off: "" };
  return { on: SCREEN.on + keys.on, off: keys.off + SCREEN.off };
}

/** Only terminals known to support the protocol; others might print the sequence. */
function knowsBetterKeys({ TERM, TERM_PROGRAM, KITTY_WINDOW_ID }: Environment): boolean {
  return KITTY_WINDOW_ID !== undefined || TERM === "xterm-kitty" || ["WezTerm", "ghostty"].includes(TERM_PROGRAM ?? "");
}
