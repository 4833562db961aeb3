import type { KeyName, KeyPress, Modifiers } from "./key-press.ts";

/** By the last letter of `ESC [` and `ESC O`; rxvt sends lower case with Shift or Ctrl. */
const BY_LETTER: Readonly<Record<string, KeyName>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  F: "end",
  H: "home",
  a: "up",
  b: "down",
  c: "right",
  d: "left",
};

/** By the number before `~`; rxvt sends `^`, `$` or `@` instead. */
const BY_NUMBER: Readonly<Record<string, KeyName>> = {
  1: "home",
  3: "delete",
  4: "end",
  5: "page-up",
  6: "page-down",
  7: "home",
  8: "end",
};

/** By the number before `u`: code points, and kitty's numbers for the keypad. */
const BY_CODE: Readonly<Record<string, KeyName>> = {
  8: "backspace",
  9: "tab",
  13: "enter",
  27: "escape",
  127: "backspace",
  57414: "enter",
  57426: "delete",
};
/** Kitty's numbers from 57417 on. */
const FIRST_OF_KEYPAD = 57417;
const KEYPAD: readonly KeyName[] = ["left", "right", "up", "down", "page-up", "page-down", "home", "end"];

const RELEASED = "3";
/** Surrogates, and the private use area after them, which kitty uses for keys that are no characters. */
const NO_CHARACTERS = [0xd800, 0xf8ff] as const;

// biome-ignore lint/suspicious/noControlCharactersInRegex: keys consist of them.
const CSI = /^\u001b\[([\d;:]*)([A-Za-z~^@])$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const SS3 = /^\u001bO[\d;]*([A-Za-z])$/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const MOUSE = /^\u001b\[<(\d{1,3});\d{1,5};\d{1,5}M$/;
/** Shift, Alt, Ctrl. */
const HELD_BITS = 0b1_1100;

/** The key for a complete escape sequence. Undefined: no meaning here. */
export function parseSequence(sequence: string): KeyPress | undefined {
  const button = MOUSE.exec(sequence)?.[1];
  if (button !== undefined) return ofMouse(Number(button) & ~HELD_BITS);
  const keypad = SS3.exec(sequence)?.[1];
  if (keypad !== undefined) return keypad === "M" ? key("enter", {}) : key(BY_LETTER[keypad], {});
  const [, parameters = "", last = ""] = CSI.exec(sequence) ?? [];
  const [number = "", modifiers = ""] = parameters.split(";");
  const [mask = "", event = ""] = modifiers.split(":");
  const held = modifiersOf(mask);
  if (held === undefined || event === RELEASED) return undefined;
  if (last === "u") return ofCode(Number.parseInt(number, 10), held);
  // `ESC [ 27 ; … ~` is xterm's modifyOtherKeys, which we don't enable.
  if (/[~^@]/.test(last)) return key(BY_NUMBER[number], held);
  return number === "" || number === "1" ? key(BY_LETTER[last], held) : undefined;
}

/** Releases end with `m` and have no meaning here, nor have wheels that turn sideways. */
function ofMouse(button: number): KeyPress | undefined {
  if (button <= 2) return { type: "mouse", what: "button" };
  if (button === 64) return { type: "mouse", what: "wheel-up" };
  return button === 65 ? { type: "mouse", what: "wheel-down" } : undefined;
}

function key(name: KeyName | undefined, held: Modifiers): KeyPress | undefined {
  return name === undefined ? undefined : { type: "key", name, ...held };
}

/** Shift, Alt and Ctrl. Undefined with Super and the like, which belong to the window manager. Ignores Caps Lock and Num Lock. */
function modifiersOf(mask: string): Modifiers | undefined {
  const bits = mask === "" ? 0 : Number.parseInt(mask, 10) - 1;
  if ((bits & 0b11_1000) !== 0) return undefined;
  return {
    ...((bits & 1) !== 0 && { shift: true }),
    ...((bits & 2) !== 0 && { alt: true }),
    ...((bits & 4) !== 0 && { ctrl: true }),
  };
}

function ofCode(code: number, held: Modifiers): KeyPress | undefined {
  const name = BY_CODE[code] ?? KEYPAD[code - FIRST_OF_KEYPAD];
  if (name !== undefined) return key(name, held);
  const isCharacter = code >= 32 && code <= 0x10ffff && (code < NO_CHARACTERS[0] || code > NO_CHARACTERS[1]);
  if (!isCharacter || (code >= 0x7f && code < 0xa0)) return undefined;
  const letter = String.fromCodePoint(code);
  if (held.alt === true || held.ctrl === true) return { type: "chord", letter: letter.toLowerCase(), ...held };
  return { type: "text", text: held.shift === true ? letter.toUpperCase() : letter };
}
