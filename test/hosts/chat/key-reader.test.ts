import { StringDecoder } from "node:string_decoder";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { KeyPress } from "../../../src/hosts/chat/keyboard/key-press.ts";
import { KeyReader } from "../../../src/hosts/chat/keyboard/key-reader.ts";
import { edit, emptyEditor } from "../../../src/hosts/chat/state/editor.ts";
import { often } from "../../support/soak.ts";

const ESC = "\u001b";

/** Everything that reads make, with a pause at the end. */
function read(...reads: readonly string[]): readonly KeyPress[] {
  const reader = new KeyReader();
  return [...reads.flatMap((one) => reader.push(one)), ...reader.flush()];
}

/** In short: `ctrl+c`, `alt+left`, "text". */
function say(press: KeyPress): string {
  if (press.type === "text") return JSON.stringify(press.text);
  if (press.type === "mouse") return press.what;
  const held = [press.shift && "shift+", press.alt && "alt+", press.ctrl && "ctrl+"].filter(Boolean).join("");
  return held + (press.type === "key" ? press.name : press.letter);
}

/** Each of these is one key. */
const KEYS: Readonly<Record<string, string>> = {
  [ESC]: "escape",
  "\r": "enter",
  "\t": "tab",
  "\u007f": "backspace",
  "\b": "backspace",
  "\u0003": "ctrl+c",
  "\n": "ctrl+j",
  [`${ESC}\r`]: "alt+enter",
  [`${ESC}\u007f`]: "alt+backspace",
  [`${ESC}b`]: "alt+b",
  [`${ESC}[A`]: "up",
  [`${ESC}OB`]: "down",
  [`${ESC}[1;3D`]: "alt+left",
  [`${ESC}[1;5C`]: "ctrl+right",
  [`${ESC}${ESC}[D`]: "alt+left",
  [`${ESC}[H`]: "home",
  [`${ESC}[4~`]: "end",
  [`${ESC}[3~`]: "delete",
  [`${ESC}[3;5~`]: "ctrl+delete",
  [`${ESC}[5~`]: "page-up",
  [`${ESC}[6;2~`]: "shift+page-down",
  [`${ESC}OM`]: "enter",
  [`${ESC}[27u`]: "escape",
  [`${ESC}[13;2u`]: "shift+enter",
  [`${ESC}[99;5u`]: "ctrl+c",
  [`${ESC}[99;133u`]: "ctrl+c",
  [`${ESC}[98;3u`]: "alt+b",
  [`${ESC}[57419u`]: "up",
  [`${ESC}[1;1:1A`]: "up",
};

/** Each of these is none. */
const NO_KEYS = [
  ...[
    "[I",
    "[O",
    "[Z",
    "[25~",
    "[27;5;13~",
    "[1;5P",
    "[1;6I",
    "[[A",
    "[M !!",
    "[<0;1;2m",
    "[<35;1;2M",
    "[<66;1;2M",
    "[?1;2c",
    "[?2004;1$y",
  ],
  ...["[1;1:3A", "[99;9u", "[57441;2u", "[55296u", "[1114112u", "[7u", "[128u", "[3;0~", "[2A", "O5P", "OP"],
  ...["]11;rgb:0/0/0\u0007", `]11;x${ESC}\\`, `P>|tmux${ESC}\\`, `_Gi=1${ESC}\\`],
].map((sequence) => ESC + sequence);

describe("keys from bytes", () => {
  test.each(Object.entries(KEYS))("S10: %j is %s", (bytes, name) => {
    expect(read(bytes).map(say)).toEqual([name]);
  });

  test("S10: a key is the same wherever its bytes are split", () => {
    for (const [bytes, name] of Object.entries(KEYS)) {
      for (let cut = 1; cut < bytes.length; cut++) {
        expect(read(bytes.slice(0, cut), bytes.slice(cut)).map(say), JSON.stringify(bytes)).toEqual([name]);
      }
      expect(read(...bytes).map(say), JSON.stringify(bytes)).toEqual([name]);
    }
  });

  test("S10: an unknown sequence types nothing, wherever it is split, and hides no later key", () => {
    for (const bytes of NO_KEYS) {
      expect(read(...bytes, "x").map(say), JSON.stringify(bytes)).toEqual(['"x"']);
      expect(read(`a${bytes}\u0003`).map(say), JSON.stringify(bytes)).toEqual(['"a"', "ctrl+c"]);
    }
  });

  test.each([
    ["abc\u007f\u007f", ['"abc"', "backspace", "backspace"]],
    ["\u0003\u0003", ["ctrl+c", "ctrl+c"]],
    ["\r\r", ["enter", "enter"]],
    [`a${ESC}[D${ESC}[Cb`, ['"a"', "left", "right", '"b"']],
    [`\r${ESC}[A`, ["enter", "up"]],
    ["Hello\r", ['"Hello"', "enter"]],
    ["Hello\r\n", ['"Hello"', "enter"]],
    ["Hello\n", ['"Hello"', "enter"]],
    ["\n\n", ["ctrl+j", "ctrl+j"]],
    ["one\rtwo\r", ['"one"', '"\\n"', '"two"', '"\\n"']],
    ["one\r\n\ttwo", ['"one"', '"\\n"', '"\\t"', '"two"']],
    [`${ESC}${ESC}`, ["escape", "escape"]],
    [`${ESC}\u0003`, ["escape", "ctrl+c"]],
    [`${ESC}]never ended\u0003x`, ["ctrl+c", '"x"']],
    [`${ESC}[31é`, ['"é"']],
  ])("S10: %j in one read", (bytes, names) => {
    expect(read(bytes).map(say)).toEqual(names);
  });

  test("S10: a line feed typed before raw mode is Enter, and later Ctrl-J", () => {
    expect(read("Hello\n", "foo\n").map(say)).toEqual(['"Hello"', "enter", '"foo"', "ctrl+j"]);
  });

  test("S10: pasted text contains no paste marks, wherever it is split", () => {
    const bytes = `a${ESC}[200~one\r\n\t${ESC}[31mtwo\u0007\u0004${ESC}[201~\r`;
    expect(read(bytes).map(say)).toEqual(['"a"', JSON.stringify("one\n\ttwo"), "enter"]);
    const pieces = read(...bytes);
    expect(pieces.map((press) => (press.type === "text" ? press.text : say(press))).join("")).toBe("aone\n\ttwoenter");
  });

  test("S10: Ctrl-C ends a paste that lost its end mark", () => {
    expect(read(`${ESC}[200~text`, "\rmore", "\u0003", "\u0003").map(say)).toEqual([
      '"text"',
      '"\\nmore"',
      "ctrl+c",
      "ctrl+c",
    ]);
    expect(read(`${ESC}[200~text${ESC}`, `${ESC}[99;5u`).map(say)).toEqual(['"text"', "ctrl+c"]);
  });

  test("S10: an unterminated sequence does not block the keyboard", () => {
    expect(read(`${ESC}]${"x".repeat(10_000)}`, "a").map(say)).toEqual(['"a"']);
    const started = performance.now();
    for (const part of [ESC, `${ESC}[`, `${ESC}]`, "\r", `${ESC}[M`]) read(part.repeat(200_000));
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test("S10: never throws or types a control character, for any bytes split anywhere", () => {
    const part = fc.oneof(
      fc
        .constantFrom(...Object.keys(KEYS), ...NO_KEYS, `${ESC}[200~`, `${ESC}[201~`, "\u009b31m", "\u202e")
        .map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
      fc.string({ unit: "binary", maxLength: 6 }).map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.array(fc.nat(), { maxLength: 8 }), (parts, cuts) => {
        const bytes = Buffer.concat(parts);
        const marks = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
        const decoder = new StringDecoder("utf8");
        const reader = new KeyReader();
        let editor = emptyEditor();
        for (const [index, end] of marks.slice(1).entries()) {
          const presses = [...reader.push(decoder.write(bytes.subarray(marks[index], end)))];
          if (index % 3 === 0) presses.push(...reader.flush());
          for (const press of presses) {
            if (press.type === "text") editor = edit(editor, { type: "insert", text: press.text });
          }
        }
        // biome-ignore lint/suspicious/noControlCharactersInRegex: looking for them is the point.
        expect(editor.text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      }),
      { numRuns: often(1000, 10_000) },
    );
  });
});
