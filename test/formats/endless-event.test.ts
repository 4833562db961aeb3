import { expect, test } from "vitest";
import { EventCutter } from "../../src/formats/event-cutter.ts";

test("E15b: an event that never ends breaks the stream before it fills the memory", () => {
  const cutter = new EventCutter();
  // Always the same bytes: the test itself needs no memory for them.
  const chunk = new Uint8Array(1024 * 1024).fill(120);
  let pushed = 0;
  let pieces = cutter.push(new TextEncoder().encode("data: "));
  while (pieces.length === 0 && pushed < 200) {
    pieces = cutter.push(chunk);
    pushed += 1;
  }
  expect(pushed).toBe(128);
  expect(pieces).toMatchObject([{ reading: { problem: { code: "stream_broken" } } }]);
  expect(cutter.push(chunk)).toEqual([]);
});
