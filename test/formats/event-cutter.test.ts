import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EventCutter, type Piece } from "../../src/formats/index.ts";
import { chunk, completed, cut, event, readings, said, textOf } from "./support.ts";

const DONE = "data: [DONE]\n\n";
const ANSWER = event(chunk({ role: "assistant" })) + event(chunk({ content: "hi" })) + event(chunk({}, "stop")) + DONE;

describe("line ends", () => {
  const ENDS = { LF: "\n", CR: "\r", CRLF: "\r\n" } as const;

  test.each(Object.entries(ENDS))("E15b: %s ends an event, one byte at a time and at once", (_name, end) => {
    const text = ANSWER.replaceAll("\n", end);
    for (const size of [1, 2, 3, 7, text.length]) {
      const { pieces, cutter } = cut(text, size);
      expect(cutter).toMatchObject({ hasEnded: true, isOver: true });
      expect(said(pieces)).toEqual(said(cut(ANSWER).pieces));
    }
  });

  test("E15b: line ends of all kinds, mixed, after a byte order mark", () => {
    const [first = "", second = "", third = "", last = ""] = ANSWER.split(/(?<=\n\n)/);
    const text = `\uFEFF${first.replaceAll("\n", "\r")}${second}${third.replaceAll("\n", "\r\n")}${last}`;
    for (const size of [1, text.length]) expect(said(cut(text, size).pieces)).toEqual(said(cut(ANSWER).pieces));
  });

  test("E15b: bytes in the form that every SDK reads pass as they came, others are written anew", () => {
    for (const text of [ANSWER, ANSWER.replaceAll("\n", "\r\n")]) expect(textOf(cut(text).pieces)).toBe(text);
    expect(textOf(cut(ANSWER.replaceAll("\n", "\r")).pieces)).toBe(ANSWER);
    expect(textOf(cut(`\uFEFF${ANSWER}`).pieces)).toBe(ANSWER);
  });

  test("E15b: data of several lines is one event", () => {
    const spread = `data: ${JSON.stringify(chunk({ content: "hi" }), null, 1).replaceAll("\n", "\ndata: ")}\n\n`;
    const { pieces } = cut(spread);
    expect(readings(pieces)).toEqual(["content"]);
    expect(textOf(pieces).match(/\n/g)).toHaveLength(2);
    expect(said(pieces)).toEqual([chunk({ content: "hi" })]);
  });

  test("E15b: a last event without its blank line counts if it is whole", () => {
    const open = event(chunk({ content: "hi" })) + event(chunk({}, "stop")).trimEnd();
    expect(cut(open).cutter.hasEnded).toBe(true);
    expect(cut(open.slice(0, -1)).cutter.hasEnded).toBe(false);
  });
});

describe("what counts for nothing", () => {
  test("E15: comments and pings are noise", () => {
    expect(readings(cut(": keep-alive\n\n").pieces)).toEqual(["noise"]);
    expect(readings(cut('event: ping\ndata: {"type":"ping"}\n\n').pieces)).toEqual(["noise"]);
  });

  test("E15b: data with an empty value, and events of a new type, are left out", () => {
    for (const text of ["data:\n\n", "data: \n\n", 'data: {"type":"new.event","text":"x"}\n\n'])
      expect(cut(text).pieces).toEqual([]);
  });

  test.each([
    ["text", event(chunk({ content: "more" }))],
    ["an error", 'data: {"error":{"message":"busy"}}\n\n'],
    ["no JSON", "data: {oops\n\n"],
    ["an event of a new type", 'data: {"type":"new"}\n\n'],
  ])("E15b: %s after the end is left out, the usage is not", (_what, late) => {
    const usage = 'data: {"choices":[],"usage":{"total_tokens":3}}\n\n';
    const before = event(chunk({ content: "hi" })) + event(chunk({}, "stop"));
    for (const size of [1, 10_000])
      expect(textOf(cut(before + late + usage + DONE + late, size).pieces)).toBe(before + usage + DONE);
  });
});

describe("problems", () => {
  test("E15b: an error first, or after content, ends the pieces with the error itself", () => {
    const error = { error: { type: "overloaded_error", message: "busy" } };
    expect(readings(cut(event(error) + ANSWER).pieces)).toEqual([{ problem: error }]);
    const { pieces } = cut(event(chunk({ content: "hi" })) + event(error) + DONE);
    expect(readings(pieces)).toEqual(["content", { problem: error }]);
    expect(textOf(pieces)).toBe(event(chunk({ content: "hi" })));
  });

  test("E15b: an event that is no JSON is a broken stream", () => {
    expect(readings(cut("data: {oops\n\n").pieces)).toMatchObject([{ problem: { code: "stream_broken" } }]);
  });
});

describe("bytes that are lent", () => {
  const tokens = (count: number): string =>
    Array.from({ length: count }, (_, at) => event(chunk({ content: `é ${at}` }))).join("");
  const USAGE = event({ ...chunk({}), choices: [], usage: { total_tokens: 3 } });
  const TEXTS = [
    ANSWER,
    event(chunk({ role: "assistant" })) + tokens(40) + event(chunk({}, "stop")) + USAGE + DONE,
    `${tokens(3)}: hi\n\n${tokens(5)}${event({ type: "new.event" })}${event(chunk({ reasoning: "so" }))}${tokens(2)}`,
    event(chunk({ content: "a" })) + event(chunk({ content: "long".repeat(20_000) })) + tokens(2),
    tokens(9).replaceAll("\n", "\r\n") + ANSWER,
    tokens(2) + event({ error: { message: "busy" } }),
  ];

  /** As the gateway reads: one buffer for all, and each piece is used up before the next read. */
  function cutLent(text: string, sizes: readonly number[]): { readonly text: string; readonly readings: unknown[] } {
    const bytes = Buffer.from(text);
    const shared = Buffer.alloc(Math.max(...sizes));
    const cutter = new EventCutter();
    const held: Piece[] = [];
    const given = { text: "", readings: [] as unknown[] };
    const use = ({ bytes: own, reading }: Piece): void => {
      given.text += Buffer.from(own).toString("latin1");
      given.readings.push(reading);
    };
    let hasContent = false;
    for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
      const count = bytes.copy(shared, 0, at, at + (sizes[turn % sizes.length] as number));
      at += count;
      for (const piece of cutter.pushLent(shared.subarray(0, count))) {
        hasContent ||= String(piece.reading).startsWith("content");
        held.push(piece);
        // What comes before the first content is held.
        if (hasContent) for (const next of held.splice(0)) use(next);
      }
      shared.fill("!");
    }
    for (const piece of [...held, ...cutter.end()]) use(piece);
    return { text: Buffer.from(given.text, "latin1").toString(), readings: given.readings };
  }

  test.each(TEXTS.map((text, at) => [at, text] as const))(
    "E14: text %i comes out the same as from bytes that are kept, however it is split",
    (_, text) => {
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 20 }), (sizes) => {
          const bytes = Buffer.from(text);
          const cutter = new EventCutter();
          const pieces: Piece[] = [];
          for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
            const end = at + (sizes[turn % sizes.length] as number);
            pieces.push(...cutter.push(bytes.subarray(at, end)));
            at = end;
          }
          pieces.push(...cutter.end());
          expect(cutLent(text, sizes)).toEqual({ text: textOf(pieces), readings: readings(pieces) });
          expect(said(pieces)).toEqual(said(cut(text).pieces));
        }),
      );
    },
  );

  test("E14: pieces that are held before the first content are not written over", () => {
    const shared = Buffer.from(event(chunk({ role: "assistant" })));
    const [piece] = new EventCutter().pushLent(shared);
    shared.fill("!");
    expect(textOf([piece as Piece])).toBe(event(chunk({ role: "assistant" })));
  });
});

describe("long events", () => {
  const MIB = 1024 * 1024;

  test("E20: an event of 64 MiB takes time in proportion to its length", () => {
    const block = new TextEncoder().encode("a".repeat(MIB));
    const timed = (blocks: number): number => {
      const cutter = new EventCutter();
      const startedAt = performance.now();
      cutter.push(new TextEncoder().encode('data: {"choices":[{"index":0,"delta":{"content":"'));
      for (let sent = 0; sent < blocks; sent += 1) cutter.push(block);
      const pieces: readonly Piece[] = cutter.push(new TextEncoder().encode('"}}]}\n\n'));
      expect(readings(pieces)).toEqual(["content"]);
      expect(pieces[0]?.bytes.length).toBeGreaterThan(blocks * MIB);
      return performance.now() - startedAt;
    };
    timed(2);
    expect(timed(64)).toBeLessThan(8 * timed(8) + 3000);
  });

  test("E15b: the terminal event is found however long it is", () => {
    const long = "x".repeat(2 * MIB);
    expect(readings(cut(event(completed(long)), 100_000).pieces)).toEqual(["content-end"]);
    const picture = { content: { parts: [{ inlineData: { data: long } }] }, finishReason: "STOP" };
    expect(readings(cut(event({ candidates: [picture] }), 100_000).pieces)).toEqual(["content", "end"]);
  });

  test("E15b: an event that never ends is a broken stream, and is not kept", () => {
    const cutter = new EventCutter();
    const block = new TextEncoder().encode(" ".repeat(MIB));
    let pieces: readonly Piece[] = [];
    let sent = 0;
    for (; sent < 300 && pieces.length === 0; sent += 1) pieces = cutter.push(block);
    expect(sent).toBeGreaterThan(64);
    expect(readings(pieces)).toMatchObject([{ problem: { code: "stream_broken" } }]);
  });
});
