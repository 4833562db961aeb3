import { describe, expect, test } from "vitest";
import { type Reading, stream } from "../../src/index.ts";

const inspect = (item: string): Reading => (item === "[DONE]" ? "end" : "content");

/** An iterator by hand that notes each result it gives; `reuse` gives the same object again and again. */
function source(items: readonly string[], reuse = false) {
  const given: IteratorResult<string>[] = [];
  let at = 0;
  const one = { done: false as const, value: "" };
  const iterator: AsyncIterableIterator<string> = {
    async next() {
      const value = items[at++];
      if (value === undefined) return { done: true, value: undefined };
      const result = reuse ? Object.assign(one, { value }) : { done: false as const, value };
      given.push(result);
      return result;
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  return { given, open: () => iterator };
}

describe("items of a stream", () => {
  test("E14: a single reader gets the source's own results, so an item costs no copy", async () => {
    const { given, open } = source(["a", "b", "[DONE]"]);
    const reader = stream(open, { inspect });
    const results = [await reader.next(), await reader.next(), await reader.next()];
    expect(results.map((result, i) => result === given[i])).toEqual([true, true, true]);
    expect(await reader.next()).toEqual({ done: true, value: undefined });
  });

  test("E14: readers in line get their own results, even if the source uses one object for all its items", async () => {
    const { open } = source(["a", "b", "c", "[DONE]"], true);
    const reader = stream(open, { inspect });
    const results = await Promise.all([reader.next(), reader.next(), reader.next(), reader.next()]);
    expect(results).toEqual(["a", "b", "c", "[DONE]"].map((value) => ({ done: false, value })));
  });

  test("E14: items held before the first content are given out first and in order", async () => {
    const { open } = source([":1", ":2", "a", "b", "[DONE]"]);
    const reader = stream(open, { inspect: (item) => (item.startsWith(":") ? "noise" : inspect(item)) });
    const items: string[] = [];
    for await (const item of reader) items.push(item);
    expect(items).toEqual([":1", ":2", "a", "b", "[DONE]"]);
  });

  test("E14: a source whose iterator can't be made fails the attempt and does not exhaust the stack", async () => {
    let opened = 0;
    const broken = {
      [Symbol.asyncIterator]: () => {
        opened++;
        throw Object.assign(new Error("Overloaded"), { status: 503 });
      },
    };
    const policy = {
      schedules: { general: { type: "fixed", delayMs: 0, atMost: 5000 } },
      breaker: null,
      budget: null,
    } as const;
    await expect(stream(() => broken, { policy }).next()).rejects.toThrow("Overloaded");
    expect(opened).toBe(5001);
  });
});
