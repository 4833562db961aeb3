import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TokenLikeness } from "../../src/formats/token-likeness.ts";
import { chunk, cut, event, readings } from "./support.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** One token of each format. */
const TOKENS: readonly (readonly [string, (text: string, count: number) => string])[] = [
  ["chat", (content, created) => event({ ...chunk({ content }), created, obfuscation: "x".repeat(created % 7) })],
  [
    "responses",
    (delta, n) => event({ type: "response.output_text.delta", sequence_number: n, item_id: "m", delta, logprobs: [] }),
  ],
  [
    "messages",
    (text, index) =>
      `event: content_block_delta\n${event({ type: "content_block_delta", index, delta: { type: "text_delta", text } })}`,
  ],
  ["candidates", (text, n) => event({ candidates: [{ content: { parts: [{ text }] } }], usageMetadata: { total: n } })],
];

describe("likeness of tokens", () => {
  test.each(TOKENS)("E15b: of %s, all that differ in text and numbers alone are like the first", (_, make) => {
    const known = TokenLikeness.of(bytesOf(make("Hello", 1)));
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), fc.nat(), (text, count) => {
        expect(known?.matches(bytesOf(make(text, count)))).toBe(true);
        expect(known?.matches(bytesOf(make(text, count) + make("more", count + 1)))).toBe(true);
        expect(known?.matches(bytesOf(make("", count)))).toBe(false);
      }),
    );
  });

  test.each(TOKENS)("E15b: of %s, a token that is cut anywhere is not like the first", (_, make) => {
    const known = TokenLikeness.of(bytesOf(make("Hello", 1)));
    const whole = bytesOf(make('some \\ "text"', 20));
    for (let end = 1; end < whole.length; end++) expect(known?.matches(whole.subarray(0, end)), `${end}`).toBe(false);
  });

  test("E15b: an event that means something else is not like a token", () => {
    const known = TokenLikeness.of(bytesOf(event(chunk({ content: "a" }))));
    const others = [
      event(chunk({ content: "a" }, "stop")),
      event(chunk({ reasoning: "a" })),
      event(chunk({ content: "a", tool_calls: [] })),
      event(chunk({ content: null })),
      event({ ...chunk({ content: "a" }), error: { message: "no" } }),
      event(chunk({ content: "a" })).replace("\n\n", "\r\n\r\n"),
      "data: [DONE]\n\n",
      ": ping\n\n",
    ];
    for (const other of others) expect(known?.matches(bytesOf(other)), other).toBe(false);
  });

  test("E15b: however its text is cut into chunks, a stream reads the same with and without it", () => {
    const text = fc.string({ unit: fc.constantFrom("a", '"', "\\", "\n", "é", "7", "}", "[DONE]", '"error"') });
    const streams = fc.array(fc.record({ text, isNew: fc.boolean() }), { maxLength: 12 });
    fc.assert(
      fc.property(streams, fc.integer({ min: 1, max: 400 }), (parts, size) => {
        const events = parts.map(({ text, isNew }) =>
          event(chunk(isNew ? { role: "assistant", content: text } : { content: text })),
        );
        const stream = `${events.join("")}${event(chunk({}, "stop"))}data: [DONE]\n\n`;
        const { pieces, cutter } = cut(stream, size);
        expect(Buffer.concat(pieces.map(({ bytes }) => bytes)).toString()).toBe(stream);
        expect(cutter.isOver).toBe(true);
        const hasText = parts.some(({ text }) => text !== "");
        expect(readings(pieces).some((reading) => String(reading).startsWith("content"))).toBe(hasText);
      }),
    );
  });
});
