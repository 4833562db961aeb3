import { describe, expect, test } from "vitest";
import { fieldOf, pathOf } from "../../../src/simulator/http/dialects/read-json.ts";
import { useSimulator } from "./support.ts";
import { askRaw, TEXT, WIRE_FORMATS } from "./wire-formats.ts";

const world = useSimulator();
const MIB = 1024 * 1024;

const isJson = (text: string): boolean => {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
};

describe.each(WIRE_FORMATS)("faults of events, $name", (format) => {
  const ask = (fault?: string, more = {}) =>
    askRaw({ sim: world.sim, format, ...(fault !== undefined && { fault }), ...more });
  const terminals = (events: readonly { readonly data: string }[]) =>
    events.filter(({ data }) => format.terminal.test(data)).length;
  const texts = (events: readonly { readonly data: string }[]) =>
    events.filter(({ data }) => format.text.test(data)).length;

  test("a good answer has its text, one terminal event, and valid JSON throughout", async () => {
    const { events, isComplete } = await ask();
    expect([texts(events), terminals(events), isComplete]).toEqual([TEXT.split(" ").length, 1, true]);
    expect(events.every(({ data }) => data === "[DONE]" || isJson(data))).toBe(true);
  });

  test.each(["stream", "whole"] as const)("fault 27: writes end inside of UTF-8 characters (%s)", async (how) => {
    const { chunks, parts, text, isComplete } = await ask("27", { how });
    const inside = chunks.filter((chunk) => ((chunk[0] ?? 0) & 0xc0) === 0x80);
    expect(inside.length).toBeGreaterThan(15);
    // Almost every write was a separate read.
    expect(parts.length).toBeGreaterThan(inside.length / 2);
    expect([text.includes("\uFFFD"), text.includes("🌊"), isComplete]).toEqual([false, true, true]);
  });

  test("fault 28: writes end between CR and LF", async () => {
    const { chunks, parts, events } = await ask("28");
    const split = chunks.filter((chunk, n) => chunk[0] === 0x0a && chunks[n - 1]?.at(-1) === 0x0d).length;
    expect(split).toBeGreaterThan(20);
    expect(parts.length).toBeGreaterThan(split / 2);
    expect(terminals(events)).toBe(1);
  });

  test("fault 29: all three line ends come after a byte order mark", async () => {
    const good = await ask();
    const { body, text, events } = await ask("29");
    expect([...body.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    for (const end of [/[^\r\n]\n\n/, /[^\r\n]\r\r[^\n]/, /[^\r\n]\r\n\r\n/]) expect(text).toMatch(end);
    expect(events.map(({ data }) => data)).toEqual(good.events.map(({ data }) => data));
  });

  test.each([
    ["lf", /^[^\r]+$/],
    ["cr", /^[^\n]+$/],
    ["crlf", /^(?:[^\r\n]|\r\n)+$/],
    ["bom", /^\uFEFF[^\r]+$/],
  ])("fault 29: %s alone can be had too", async (variant, shape) => {
    const { text, events } = await ask(`29-${variant}`);
    expect(text).toMatch(shape);
    expect(terminals(events)).toBe(1);
  });

  test("fault 29: the last event can lack its blank line", async () => {
    const { text } = await ask("29-open");
    expect(text).toMatch(/[^\r\n]\n$/);
    expect(`${text}\n`).toBe((await ask("29-lf")).text);
  });

  test("fault 30: comments and pings come for ever, and no content", async () => {
    const { chunks, events, isComplete, end } = await ask("30", {
      leaveAfterMs: 400,
    });
    expect(chunks.filter((chunk) => chunk.toString().startsWith(": ")).length).toBeGreaterThan(1);
    expect([texts(events), terminals(events), isComplete, end]).toEqual([0, 0, false, "quiet"]);
    await expect.poll(() => world.sim.requests.at(-1)?.state).toBe("client-left");
  });

  test("fault 31: an event with empty data can come before each event", async () => {
    const good = await ask();
    const { text, events } = await ask("31-empty");
    expect(text.match(/^data: $/gm)).toHaveLength(good.events.length);
    expect(events.filter(({ data }) => data !== "").map(({ data }) => data)).toEqual(
      good.events.map(({ data }) => data),
    );
  });

  test("fault 31: the data of an event is spread over several lines", async () => {
    const good = await ask();
    const { events } = await ask("31");
    expect(events.filter(({ dataLines }) => dataLines > 3).length).toBeGreaterThan(10);
    const values = (all: typeof events) => all.map(({ data }) => (isJson(data) ? JSON.parse(data) : data));
    expect(values(events)).toEqual(values(good.events));
  });

  test("fault 32: one event is enormous", async () => {
    const { events } = await ask("32-2");
    expect(events.filter(({ data }) => data.length > 2 * MIB).length).toBeGreaterThan(0);
    expect(terminals(events)).toBe(1);
  });

  test("fault 33: one event is no JSON, in a stream or whole", async () => {
    const { events } = await ask("33");
    expect(events.filter(({ data }) => data !== "[DONE]" && !isJson(data)).length).toBe(1);
    expect(terminals(events)).toBe(1);
    const { text, status } = await ask("33", { how: "whole" });
    expect([status, isJson(text)]).toEqual([200, false]);
  });

  test("fault 34: the stream contains an unknown event", async () => {
    const good = await ask();
    const { events } = await ask("34");
    expect(events.length).toBe(good.events.length + 1);
    expect(events.filter(({ data }) => data.includes("simulated.unknown_event")).length).toBe(1);
  });

  test("fault 34: the unknown event can come first, or after the terminal event", async () => {
    const place = (events: readonly { readonly data: string }[]) =>
      events.findIndex(({ data }) => data.includes("simulated.unknown_event"));
    expect(place((await ask("34-first")).events)).toBe(0);
    const { events } = await ask("34-end");
    const end = /finish_reason":"stop|message_stop|response\.completed|finishReason/;
    expect(events[place(events) - 1]?.data).toMatch(end);
  });

  test("fault 26: text comes after everything, or directly after the terminal event", async () => {
    const good = await ask();
    const { events } = await ask("26");
    expect([events.length, texts(events.slice(-2))]).toEqual([good.events.length + 2, 2]);
    const early = (await ask("26-early")).events;
    const end = /finish_reason":"stop|message_stop|response\.completed|finishReason/;
    const at = early.findIndex(({ data }) => end.test(data));
    expect([early.length, texts(early.slice(at + 1, at + 3))]).toEqual([good.events.length + 2, 2]);
  });

  test("fault 35: the first event is an error, and the last", async () => {
    const { status, events } = await ask("35");
    expect([status, events.length]).toEqual([200, 1]);
    expect(events[0]?.data).toMatch(format.error);
  });

  test("fault 36: an error comes after content", async () => {
    const { events } = await ask("36-4");
    expect([texts(events), terminals(events)]).toEqual([4, 0]);
    expect(events.at(-1)?.data).toMatch(format.error);
  });

  test("fault 37: the terminal event is missing, and HTTP is content", async () => {
    const { events, text, isComplete } = await ask("37");
    expect([texts(events), terminals(events), isComplete]).toEqual([10, 0, true]);
    expect(text).not.toContain('"finish_reason":"stop"');
  });

  test("fault 38: the terminal event comes twice", async () => {
    const { events } = await ask("38");
    expect(terminals(events)).toBe(2);
  });

  test("fault 39: the arguments of a tool call are cut", async () => {
    const { text, events, isComplete } = await ask("39-12");
    expect([text.includes("get_weather"), text.includes("Reykjav"), isComplete]).toEqual([true, false, true]);
    // Where arguments are text, everything around them is whole; Gemini has them as a value.
    expect(terminals(events)).toBe(format.name === "Gemini" ? 0 : 1);
  });

  test("fault 39: they are cut without a stream too", async () => {
    const { text, status } = await ask("39", { how: "whole" });
    expect([status, text.includes("get_weather"), text.includes('"days":7}')]).toEqual([200, true, false]);
    expect(isJson(text)).toBe(format.name.startsWith("OpenAI"));
  });

  test("fault 40: the numbers of blocks fall instead of rising", async () => {
    const { events } = await ask("40");
    const numbers = events.flatMap(({ data }) => (isJson(data) ? blockNumber(JSON.parse(data)) : []));
    const order = numbers.filter((number, place) => number !== numbers[place - 1]);
    expect(order.length).toBeGreaterThan(1);
    expect(order).toEqual([...order].sort((a, b) => b - a));
  });

  test("fault 41: a valid stream has no content", async () => {
    const { events, isComplete } = await ask("41");
    expect([texts(events), terminals(events), isComplete]).toEqual([0, 1, true]);
  });
});

/** The number of the block that an event belongs to, where it names one. */
function blockNumber(data: unknown): readonly number[] {
  const places = [
    fieldOf(data, "index"),
    fieldOf(data, "output_index"),
    pathOf(data, "choices", "0", "delta", "tool_calls", "0", "index"),
    pathOf(data, "candidates", "0", "content", "parts", "0", "functionCall") &&
      pathOf(data, "candidates", "0", "index"),
  ];
  return places.filter((place) => typeof place === "number");
}

test("fault 32: without a number the event has 64 MiB", async () => {
  const [format] = WIRE_FORMATS;
  if (format === undefined) throw new Error("There is no wire format");
  const { body, isComplete } = await askRaw({ sim: world.sim, format, fault: "32" });
  expect([body.length > 64 * MIB, isComplete]).toEqual([true, true]);
});
