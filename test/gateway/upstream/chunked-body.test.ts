import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ChunkedBody } from "../../../src/gateway/upstream/chunked-body.ts";
import { UnreadableAnswer } from "../../../src/gateway/upstream/read-head.ts";

interface Decoded {
  readonly payload: string;
  readonly isOver: boolean;
  /** Bytes that came after the end. */
  readonly rest: number;
}

/** Cut into reads of these sizes. */
function decode(text: string, sizes: readonly number[] = []): Decoded {
  const body = new ChunkedBody();
  const bytes = Buffer.from(text, "latin1");
  let payload = "";
  let at = 0;
  let rest = 0;
  for (let turn = 0; at < bytes.length && !body.isOver; turn++) {
    const to = Math.min(bytes.length, at + (sizes[turn % sizes.length] ?? bytes.length));
    // A buffer of its own, with something before and after: the decoder moves bytes about.
    const read = Buffer.concat([Buffer.from("##"), bytes.subarray(at, to), Buffer.from("##")]);
    body.decode(read, 2, 2 + to - at);
    payload += read.toString("latin1", body.start, body.stop);
    if (body.isOver) rest = bytes.length - at - (body.end - 2);
    at = to;
  }
  return { payload, isOver: body.isOver, rest };
}

const frame = (payload: string, extension = ""): string =>
  `${payload.length.toString(16)}${extension}\r\n${payload}\r\n`;

describe("E15b: a chunked body", () => {
  test("E15b: is the same wherever it is cut", () => {
    const payload = fc
      .string({ unit: "binary", minLength: 1, maxLength: 40 })
      .map((text) => Buffer.from(text, "latin1").toString("latin1"));
    const extension = fc.constantFrom("", ";a=b", " ;x", ';q="1"');
    const trailers = fc.constantFrom("", "x-a: b\r\n", "x-a: b\r\nx-c: d\r\n");
    fc.assert(
      fc.property(
        fc.array(fc.tuple(payload, extension), { maxLength: 8 }),
        trailers,
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 6 }),
        fc.constantFrom("", "HTTP/1.1 200 OK"),
        (chunks, trailer, sizes, after) => {
          const text = `${chunks.map(([one, more]) => frame(one, more)).join("")}0\r\n${trailer}\r\n${after}`;
          const wanted = { payload: chunks.map(([one]) => one).join(""), isOver: true };
          expect(decode(text, sizes)).toMatchObject(wanted);
          expect(decode(text)).toEqual({ ...wanted, rest: after.length });
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("E15b: that was cut is not over, at any byte", () => {
    const text = `${frame("hello")}${frame(" world")}0\r\nx: y\r\n\r\n`;
    for (let length = 0; length < text.length; length++) {
      const { payload, isOver } = decode(text.slice(0, length));
      expect([isOver, "hello world".startsWith(payload)]).toEqual([false, true]);
    }
    expect(decode(text)).toEqual({ payload: "hello world", isOver: true, rest: 0 });
  });

  test.each([
    ["no size", "\r\nhello"],
    ["a size that is no number", "xyz\r\nhello\r\n"],
    ["a negative size", "-1\r\n"],
    ["a size beyond any chunk", "ffffffff\r\n"],
    ["endless zeros", "0".repeat(100)],
    ["more payload than its size", "3\r\nhello\r\n"],
    ["a bare LF", "5\nhello\r\n"],
    ["an extension without an end", `5;${"x".repeat(5000)}`],
    ["trailers without an end", `0\r\n${"x: y\r\n".repeat(5000)}`],
  ])("E15b: with %s is refused", (_, text) => {
    expect(() => decode(text)).toThrow(UnreadableAnswer);
    expect(() => decode(text, [1])).toThrow(UnreadableAnswer);
  });
});
