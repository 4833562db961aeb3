import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { definePolicy, type Reading, SecondwindError, type Sink, toolArguments } from "../../../src/index.ts";
import { httpError, read, World } from "../../support/world.ts";

type Item = string | { readonly error: unknown };

/** A dialect of one's own: `[DONE]` ends, `:` is a keep-alive, `~` is reasoning that shows life only, `x!` is the last content. */
function inspect(item: Item): Reading {
  if (typeof item === "object") return { problem: item.error };
  if (item === "[DONE]") return "end";
  if (item === "~") return "life";
  if (item.startsWith(":")) return "noise";
  return item.endsWith("!") ? "content-end" : "content";
}

const DELAY = definePolicy({ schedules: { general: { type: "fixed", delayMs: 1000, atMost: 3 } } });
const RESTART = definePolicy({ ...DELAY, afterContent: "restart" });
const RETRACTABLE: Sink<Item> = {
  retractable: ({ attempt, items }) => `<restart after ${items} of attempt ${attempt}>`,
};

/** One list an attempt, the last one again and again; an Error in it is thrown, "cut" ends the stream early. */
function playing(...attempts: readonly (readonly (Item | Error)[])[]) {
  let calls = 0;
  return async function* (): AsyncGenerator<Item> {
    for (const item of attempts[Math.min(calls++, attempts.length - 1)] ?? []) {
      if (item instanceof Error) throw item;
      yield item;
    }
  };
}

describe("a committed sink", () => {
  test("E14: gives the items of a good attempt in order", async () => {
    const world = new World();
    const got = await read(world.stream(playing(["a", "b", "[DONE]"]), { inspect }));
    expect(got).toEqual({ items: ["a", "b", "[DONE]"], error: undefined });
  });

  test("E15b: ignores whatever comes after the terminal marker, except noise", async () => {
    for (const end of ["[DONE]", "b!"]) {
      const world = new World();
      const source = playing([
        "a",
        end,
        "more",
        ": usage",
        "~",
        "[DONE]",
        "c!",
        { error: httpError(502) },
        "never read",
      ]);
      const items = world.stream(source, { inspect });
      expect(await read(items)).toEqual({ items: ["a", end, ": usage"], error: undefined });
      expect(items.receipt).toMatchObject({ complete: true, truncated: false, attempts: 1 });
    }
  });

  test("E16: text after the terminal marker does not satisfy a requirement", async () => {
    const world = new World();
    const policy = definePolicy({ ...DELAY, require: { text: "magic" } });
    const source = playing(["a", "[DONE]", "magic"], ["magic", "[DONE]"]);
    const items = world.stream(source, { inspect, policy, sink: "buffered" });
    expect(await world.time.until(read(items))).toEqual({ items: ["magic", "[DONE]"], error: undefined });
  });

  test("E15b: content without end after the terminal marker does not keep the stream from ending", async () => {
    const world = new World();
    const endless = async function* (): AsyncGenerator<Item> {
      yield "a";
      yield "[DONE]";
      for (;;) {
        await new Promise<void>((resolve) => world.time.ports.sleep({ wakeAtMs: 0, slot: -1, wake: resolve }, 1000));
        yield "more";
      }
    };
    const policy = definePolicy({ ...DELAY, watchdog: { idleMs: 5000 } });
    const items = world.stream(endless, { inspect, policy });
    expect(await world.time.until(read(items))).toEqual({ items: ["a", "[DONE]"], error: undefined });
  });

  test("E14: retries silently before the first content; what came before it leaves no trace", async () => {
    const world = new World();
    const source = playing([": opening 1", httpError(502)], [": opening 2", "a", "[DONE]"]);
    const items = world.stream(source, { inspect, policy: DELAY });
    const got = await world.time.until(read(items));
    expect(got.items).toEqual([": opening 2", "a", "[DONE]"]);
    expect(items.receipt).toMatchObject({ complete: true, truncated: false, attempts: 2, waitedMs: 1000 });
  });

  test("E14: nothing is retried after content has been given out", async () => {
    const world = new World();
    const items = world.stream(playing(["a", httpError(502, "bad gateway")]), { inspect, policy: DELAY });
    const got = await world.time.until(read(items));
    expect(got.items).toEqual(["a"]);
    expect(got.error).toEqual(httpError(502, "bad gateway"));
    expect(items.receipt).toMatchObject({
      complete: false,
      truncated: true,
      outcome: "already-streaming",
      attempts: 1,
    });
    expect(world.time.nowMs).toBe(0);
  });

  test("E14: a policy that restarts does not help a sink that can't take content back", async () => {
    const world = new World();
    const got = await world.time.until(
      read(world.stream(playing(["a", httpError(502)]), { inspect, policy: RESTART })),
    );
    expect(got.items).toEqual(["a"]);
    expect(got.error).toBeInstanceOf(Error);
  });
});

describe("a retractable sink", () => {
  test("E14: a restart marker separates two attempts, and an event reports the discarded one", async () => {
    const world = new World();
    const source = playing(["a", "b", httpError(502, "cut")], ["x", "y", "[DONE]"]);
    const items = world.stream(source, { inspect, policy: RESTART, sink: RETRACTABLE });
    const got = await world.time.until(read(items));
    expect(got.items).toEqual(["a", "b", "<restart after 2 of attempt 1>", "x", "y", "[DONE]"]);
    expect(world.event("attempt-discard")).toMatchObject([{ attempt: 1, items: 2, failure: { message: "cut" } }]);
    expect(items.receipt).toMatchObject({ complete: true, truncated: false, attempts: 2 });
  });

  test("E14: by default even a retractable sink is not restarted", async () => {
    const world = new World();
    const source = playing(["a", httpError(502)], ["x", "[DONE]"]);
    const got = await world.time.until(read(world.stream(source, { inspect, policy: DELAY, sink: RETRACTABLE })));
    expect(got.items).toEqual(["a"]);
  });

  test("E14: an attempt that failed before its content needs no marker", async () => {
    const world = new World();
    const source = playing([":", httpError(502)], ["x", "[DONE]"]);
    const got = await world.time.until(read(world.stream(source, { inspect, policy: RESTART, sink: RETRACTABLE })));
    expect(got.items).toEqual(["x", "[DONE]"]);
    expect(world.event("attempt-discard")).toEqual([]);
  });

  test("E19: a marker that can't be made ends the stream with the provider's error, never with repeated text", async () => {
    const world = new World();
    const sink: Sink<Item> = {
      retractable: () => {
        throw new Error("no marker");
      },
    };
    const source = playing(["a", httpError(502, "cut")], ["a", "[DONE]"]);
    const got = await world.time.until(read(world.stream(source, { inspect, policy: RESTART, sink })));
    expect(got.items).toEqual(["a"]);
    expect(got.error).toEqual(httpError(502, "cut"));
    expect(world.time.faults).toMatchObject([{ where: "engine" }]);
  });
});

describe("a buffered sink", () => {
  test("E14: gives nothing out before the answer is whole, and retries at any point", async () => {
    const world = new World();
    const items = world.stream(playing(["a", "b", httpError(502)], ["x", "[DONE]"]), {
      inspect,
      policy: DELAY,
      sink: "buffered",
    });
    const got = await world.time.until(read(items));
    expect(got.items).toEqual(["x", "[DONE]"]);
    expect(items.receipt).toMatchObject({ complete: true, attempts: 2 });
  });

  test("E14: when every attempt is cut, the consumer gets no half answer", async () => {
    const world = new World();
    const items = world.stream(playing(["a", httpError(502)]), { inspect, policy: DELAY, sink: "buffered" });
    const got = await world.time.until(read(items));
    expect(got.items).toEqual([]);
    expect(got.error).toMatchObject({ name: "SecondwindError", reason: "retries-exhausted", attempts: 4 });
    expect(items.receipt).toMatchObject({ complete: false, truncated: false });
  });
});

describe("the end of a stream", () => {
  test("E15b: a stream without its terminal marker is broken, never a success", async () => {
    const world = new World();
    const items = world.stream(playing(["a", "b"]), { inspect, policy: DELAY });
    const got = await world.time.until(read(items));
    expect(got.items).toEqual(["a", "b"]);
    expect(got.error).toMatchObject({
      reason: "already-streaming",
      failure: {
        kind: "stream_broken",
        message: "The stream ended without its terminal marker",
        evidence: "stream:no-end",
      },
    });
    expect(items.receipt).toMatchObject({ truncated: true });
  });

  test("E4: a stream that ends before its opening event is tried again", async () => {
    const world = new World();
    const got = await world.time.until(
      read(world.stream(playing([], [":"], ["a", "[DONE]"]), { inspect, policy: DELAY })),
    );
    expect(got.items).toEqual(["a", "[DONE]"]);
    expect(world.time.nowMs).toBe(2000);
  });

  test("E15b: a properly ended stream without any content is broken as well", async () => {
    const world = new World();
    const got = await world.time.until(read(world.stream(playing([":", "~", "[DONE]"]), { inspect, policy: DELAY })));
    expect(got).toMatchObject({ items: [], error: { failure: { kind: "stream_broken", evidence: "stream:empty" } } });
  });

  test("E15b: an error event inside the stream is classified like an HTTP error", async () => {
    const world = new World();
    const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    const got = await world.time.until(
      read(world.stream(playing([{ error }], ["a", "[DONE]"]), { inspect, policy: DELAY })),
    );
    expect(got.items).toEqual(["a", "[DONE]"]);
    expect(world.event("attempt-end")[0]).toMatchObject({ failure: { kind: "overloaded", message: "Overloaded" } });
  });

  test("E15b: what breaks after the terminal marker is no loss", async () => {
    const world = new World();
    const got = await world.time.until(
      read(world.stream(playing(["a!", ": late", httpError(502)]), { inspect, policy: DELAY })),
    );
    expect(got).toEqual({ items: ["a!", ": late"], error: undefined });
  });

  test("E15b: without an inspector every item is content and the end of the iterable is a good end", async () => {
    const world = new World();
    const got = await read(world.stream(playing(["a", ":"])));
    expect(got).toEqual({ items: ["a", ":"], error: undefined });
    expect(await read(world.stream(playing([])))).toEqual({ items: [], error: undefined });
  });

  test("E15b: tool arguments are used only when they parse and the stream has ended properly", () => {
    expect(toolArguments({ text: '{"n": 100}', hasEnded: true })).toEqual({ usable: true, value: { n: 100 } });
    expect(toolArguments({ text: "", hasEnded: true })).toEqual({ usable: true, value: {} });
    expect(toolArguments({ text: '{"n": 10', hasEnded: true })).toEqual({ usable: false, reason: "not-json" });
    expect(toolArguments({ text: "10", hasEnded: false })).toEqual({ usable: false, reason: "stream-not-ended" });
  });
});

describe("the consumer", () => {
  test("E13: leaving the loop cancels the attempt and closes its source", async () => {
    const world = new World();
    let isClosed = false;
    let signal: AbortSignal | undefined;
    const items = world.stream(
      (context) => {
        signal = context.signal;
        return (async function* () {
          try {
            for (let i = 0; ; i++) yield `t${i}`;
          } finally {
            isClosed = true;
          }
        })();
      },
      { inspect },
    );
    for await (const item of items) if (item === "t2") break;
    await world.time.settle();
    expect(isClosed).toBe(true);
    expect(signal?.aborted).toBe(true);
    expect(items.receipt).toMatchObject({ outcome: "aborted", truncated: true, attempts: 1 });
    expect(await items.next()).toEqual({ done: true, value: undefined });
    expect(world.time.sleeping).toBe(0);
  });

  test("E14: several asks at a time are answered in order", async () => {
    const world = new World();
    const items = world.stream(playing(["a", "b", "[DONE]"]), { inspect });
    const asked = [items.next(), items.next(), items.next(), items.next(), items.next()];
    const values = await Promise.all(asked);
    expect(values.map((each) => each.value)).toEqual(["a", "b", "[DONE]", undefined, undefined]);
    expect(values.map((each) => each.done)).toEqual([false, false, false, true, true]);
  });

  test("E14: a failure is thrown once; after that the stream is done", async () => {
    const world = new World();
    const items = world.stream(playing([httpError(400, "no")]), { inspect });
    const asked = [items.next(), items.next()];
    await expect(asked[0]).rejects.toThrow("no");
    expect(await asked[1]).toEqual({ done: true, value: undefined });
    expect(await items.next()).toEqual({ done: true, value: undefined });
  });

  test("E12: nothing runs before the first item is asked for", async () => {
    const world = new World();
    let calls = 0;
    const items = world.stream(
      () => {
        calls++;
        return playing(["a", "[DONE]"])();
      },
      { inspect },
    );
    await world.time.settle();
    expect(calls).toBe(0);
    await items.next();
    expect(calls).toBe(1);
  });

  test("B8: a person can end the wait of a stream early, or for good", async () => {
    const world = new World();
    const items = world.stream(playing([httpError(503)], ["a", "[DONE]"]), { inspect, policy: DELAY });
    const first = items.next();
    await world.time.advance(300);
    expect(items.isWaiting).toBe(true);
    items.retryNow();
    expect(await first).toEqual({ done: false, value: "a" });
    items.giveUp();
    await expect(items.next()).rejects.toMatchObject({ reason: "gave-up", receipt: { truncated: true } });
  });

  test("E1: sources that fail in odd ways are failures like any other", async () => {
    const world = new World();
    const odd: (() => AsyncIterable<Item>)[] = [
      () => {
        throw httpError(502, "at open");
      },
      () => Promise.reject(httpError(502, "at connect")) as never,
      () => ({}) as never,
      () => ({
        [Symbol.asyncIterator]: () => ({
          next: () => {
            throw httpError(502, "at next");
          },
        }),
      }),
    ];
    let calls = 0;
    const items = world.stream(() => (odd[calls++] ?? playing(["a", "[DONE]"]))(), {
      inspect,
      policy: definePolicy({
        ...DELAY,
        rules: { unknown: { action: "retry", when: "always" } },
        schedules: { general: { type: "fixed", delayMs: 1, atMost: 9 } },
      }),
    });
    const got = await world.time.until(read(items));
    expect(got).toEqual({ items: ["a", "[DONE]"], error: undefined });
    expect(calls).toBe(5);
  });

  test("E13: a source that connects only after the stream was given up is closed at once", async () => {
    const world = new World();
    const controller = new AbortController();
    let isReleased = false;
    let connect: (source: AsyncIterable<Item>) => void = () => undefined;
    const late: AsyncIterable<Item> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => undefined),
        return: () => {
          isReleased = true;
          return Promise.reject(new Error("nobody listens"));
        },
      }),
    };
    const opened = new Promise<AsyncIterable<Item>>((resolve) => {
      connect = resolve;
    });
    const items = world.stream(() => opened as never, { inspect, signal: controller.signal });
    const first = items.next();
    await world.time.settle();
    controller.abort(new Error("too slow"));
    await expect(first).rejects.toThrow("too slow");
    connect(late);
    await world.time.settle();
    expect(isReleased).toBe(true);
  });

  test("E13: a source that can't be closed properly does not disturb the end", async () => {
    const world = new World();
    const stubborn: AsyncIterable<Item> = {
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.resolve({ done: false, value: "a" }),
        return: () => {
          throw new Error("no");
        },
      }),
    };
    for await (const _ of world.stream(() => stubborn, { inspect })) break;
    expect(world.types().at(-1)).toBe("generation-end");
  });

  test("B4: the receipt of a stream can be looked at while it runs", async () => {
    const world = new World();
    const items = world.stream(playing(["a", "b", "[DONE]"]), { inspect, id: "mine" });
    await items.next();
    await world.time.advance(250);
    expect(items.receipt).toMatchObject({
      generationId: "mine",
      outcome: "running",
      complete: false,
      truncated: false,
      attempts: 1,
      elapsedMs: 250,
    });
    expect(items.isWaiting).toBe(false);
    await items.return?.();
  });

  test("E19: an inspector that throws is reported and the stream passes through as it is", async () => {
    const world = new World();
    const got = await read(
      world.stream(playing(["a", "b"]), {
        inspect: () => {
          throw new Error("broken inspector");
        },
      }),
    );
    expect(got).toEqual({ items: ["a", "b"], error: undefined });
    expect(world.time.faults).toMatchObject([{ where: "inspect" }, { where: "inspect" }]);
  });

  test("E15: a thousand keep-alives before the first content do not pile up without end", async () => {
    const world = new World();
    async function* source() {
      for (let i = 0; i < 3000; i++) yield ":";
      yield "a";
      yield "[DONE]";
    }
    const { items } = await read(world.stream(source, { inspect }));
    expect(items.slice(-2)).toEqual(["a", "[DONE]"]);
    expect(items).toHaveLength(1002);
  });
});

describe("required content in a stream", () => {
  const requiring = (sink: Sink<Item>) => ({
    inspect,
    sink,
    policy: definePolicy({ ...RESTART, require: { text: "yes" } }),
  });

  test("E16: a buffered or retractable answer that lacks it is made again", async () => {
    const world = new World();
    const source = playing(["n", "o", "[DONE]"], ["ye", "s", "[DONE]"]);
    const got = await world.time.until(read(world.stream(source, requiring("buffered"))));
    expect(got.items).toEqual(["ye", "s", "[DONE]"]);

    const other = new World();
    const again = playing(["no", "[DONE]"], ["yes", "[DONE]"]);
    const shown = await other.time.until(read(other.stream(again, requiring(RETRACTABLE))));
    expect(shown.items).toEqual(["no", "[DONE]", "<restart after 2 of attempt 1>", "yes", "[DONE]"]);
  });

  test("E16: an answer that was given out for good and lacks it ends as an error", async () => {
    const world = new World();
    const got = await world.time.until(read(world.stream(playing(["no", "[DONE]"]), requiring("committed"))));
    expect(got.items).toEqual(["no", "[DONE]"]);
    expect(got.error).toBeInstanceOf(SecondwindError);
    expect(got.error).toMatchObject({ reason: "already-streaming", failure: { kind: "invalid_content" } });
  });

  test("E19: a broken text function makes the check inconclusive, and the answer stays", async () => {
    const world = new World();
    const items = world.stream(playing(["no", "[DONE]"]), {
      ...requiring("buffered"),
      textOf: () => {
        throw new Error("broken");
      },
    });
    expect((await world.time.until(read(items))).items).toEqual(["no", "[DONE]"]);
    expect(items.receipt.warnings).toEqual(["The required content could not be checked; the answer was accepted"]);
    expect(world.time.faults).toMatchObject([{ where: "text-of" }]);
  });
});

test("E14: what is delivered is a prefix of exactly one attempt, or a marker stands between", async () => {
  const attemptArb = fc.record({
    items: fc.array(fc.constantFrom("c", ":", "~"), { maxLength: 5 }),
    end: fc.constantFrom("done", "cut", "error", "event"),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(attemptArb, { minLength: 1, maxLength: 5 }),
      fc.constantFrom<"committed" | "buffered" | "retractable">("committed", "buffered", "retractable"),
      fc.boolean(),
      async (attempts, sinkName, restarts) => {
        const world = new World();
        const played = attempts.map(({ items, end }, attempt) => [
          ...items.map((item, index) => `${item}${attempt}.${index}`),
          ...(end === "done" ? ["[DONE]"] : []),
          ...(end === "error" ? [httpError(502)] : []),
          ...(end === "event" ? [{ error: { type: "overloaded_error" } }] : []),
        ]);
        const got = await world.time.until(
          read(
            world.stream<Item>(playing(...played), {
              policy: restarts ? RESTART : DELAY,
              sink: sinkName === "retractable" ? { retractable: () => "<restart>" } : sinkName,
              inspect: (item) => {
                if (typeof item === "object") return { problem: item.error };
                if (item === "[DONE]") return "end";
                return item.startsWith("c") ? "content" : item.startsWith("~") ? "life" : "noise";
              },
            }),
          ),
        );
        const parts = got.items.reduce<string[][]>(
          (all, item) => {
            if (item === "<restart>") all.push([]);
            else all.at(-1)?.push(item as string);
            return all;
          },
          [[]],
        );
        if (sinkName !== "retractable" || !restarts) expect(parts).toHaveLength(1);
        for (const part of parts) {
          // Marked items name their attempt: all of one part come from one attempt, from its start, without a gap.
          const isPrefix = played.some((items) => part.every((item, index) => items[index] === item));
          expect(isPrefix).toBe(true);
        }
        const whole = parts.at(-1) ?? [];
        expect(whole.includes("[DONE]")).toBe(got.error === undefined);
        if (sinkName === "buffered" && got.error !== undefined) expect(got.items).toEqual([]);
        expect(world.event("generation-end")).toHaveLength(1);
        expect(world.time.sleeping).toBe(0);
      },
    ),
    { numRuns: 300 },
  );
});
