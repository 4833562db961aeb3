import { describe, expect, test } from "vitest";
import { type InputPart, PasteReader } from "../../src/terminal/index.ts";

const START = "\u001b[200~";
const END = "\u001b[201~";
const keys = (text: string): InputPart => ({ type: "keys", text });
const pasted = (text: string): InputPart => ({ type: "pasted", text });

/** Everything that comes out of these reads, joined where parts of one type follow each other. */
function readAll(reads: readonly string[]): readonly InputPart[] {
  const reader = new PasteReader();
  const parts = [...reads.flatMap((read) => reader.push(read)), ...reader.flush()];
  return parts.reduce<InputPart[]>((joined, part) => {
    const last = joined.at(-1);
    if (last?.type !== part.type) return [...joined, part];
    return [...joined.slice(0, -1), { type: part.type, text: last.text + part.text }];
  }, []);
}

describe("bracketed paste", () => {
  const WHOLE = `ab${START}one\rtwo\r\nthree\r${END}c\r`;
  const EXPECTED = [keys("ab"), pasted("one\ntwo\nthree\n"), keys("c\r")];

  test("C1: marked text is one paste with plain line ends, and the keys around it stay keys", () => {
    expect(readAll([WHOLE])).toEqual(EXPECTED);
  });

  test("C1: the result is the same wherever the read is cut", () => {
    for (let at = 1; at < WHOLE.length; at++) {
      expect(readAll([WHOLE.slice(0, at), WHOLE.slice(at)]), `cut at ${at}`).toEqual(EXPECTED);
    }
    expect(readAll([...WHOLE])).toEqual(EXPECTED);
  });

  test("C1: escape sequences and control characters in a paste are removed, so it presses no keys", () => {
    expect(readAll([`${START}a\u0003b\u001b[31mc\u0004\u001b[200~d${END}`])).toEqual([pasted("abcd")]);
  });

  test("C4: Ctrl-C ends a paste whose end mark never arrives", () => {
    expect(readAll([`${START}one\rtwo`, "\u0003", "x"])).toEqual([pasted("one\ntwo"), keys("\u0003x")]);
  });
});

describe("paste without marks", () => {
  test("C1: several lines in one read are a paste, with the last line end", () => {
    expect(readAll(["one\rtwo\r\rthree\r"])).toEqual([pasted("one\ntwo\n\nthree\n")]);
  });

  test("C1: a paste that arrives in several reads is one paste, wherever it is cut after its second line began", () => {
    const whole = "one\rtwo\rthree\rfour\r";
    for (let at = "one\rt".length; at < whole.length; at++) {
      expect(readAll([whole.slice(0, at), whole.slice(at)])).toEqual([pasted("one\ntwo\nthree\nfour\n")]);
    }
  });

  test("C1: an Enter is held until nothing follows, so a slow line sends no first line of a paste", () => {
    const reader = new PasteReader();
    expect(reader.push("one\r")).toEqual([keys("one")]);
    expect(reader.isHolding).toBe(true);
    expect(reader.push("t")).toEqual([pasted("\nt")]);
    expect(reader.push("wo\r")).toEqual([pasted("wo\n")]);
    expect(reader.flush()).toEqual([]);
    expect(reader.isHolding).toBe(false);
    expect(reader.push("\r")).toEqual([]);
    expect(reader.flush()).toEqual([keys("\r")]);
  });

  test("C1: one line with its Enter is typed", () => {
    expect(readAll(["hello\r"])).toEqual([keys("hello\r")]);
    expect(readAll(["hello", "\r", "\r"])).toEqual([keys("hello\r\r")]);
  });

  test("C4: Ctrl-C between lines stays a key", () => {
    expect(readAll(["one\rtwo\r\u0003three"])).toEqual([pasted("one\ntwo\n"), keys("\u0003"), pasted("three")]);
    expect(readAll(["one\r", "\u0003"])).toEqual([keys("one\r\u0003")]);
  });

  test("C1: colours between the lines do not hide that they were pasted", () => {
    const parts = readAll(["\u001b[31mone\r\u001b[0mtwo\r\u001b[32mthree"]);
    expect(parts.filter(({ type }) => type === "keys").some(({ text }) => text.includes("\r"))).toBe(false);
  });

  test("C1: arrow keys and a lone Esc pass, the latter after a moment", () => {
    const reader = new PasteReader();
    expect(reader.push("\u001b[A")).toEqual([keys("\u001b[A")]);
    expect(reader.push("\u001b")).toEqual([]);
    expect(reader.flush()).toEqual([keys("\u001b")]);
  });
});
