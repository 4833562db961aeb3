import { describe, expect, test } from "vitest";
import { definePolicy, MemoryHealth, type Reading, resilient, sessionPolicy } from "../../src/index.ts";
import { answer, fails, hangs, httpError, read, World } from "../support/world.ts";

const inspect = (item: string): Reading => (item === "[DONE]" ? "end" : "content");
const RESTART = definePolicy({
  afterContent: "restart",
  schedules: { general: { type: "fixed", delayMs: 10, atMost: 3 } },
});

/** Gives two tokens and breaks, every time. */
async function* breaking(): AsyncGenerator<string> {
  yield "a";
  yield "b";
  throw httpError(502, "cut");
}

describe("foreign code that ends a generation from within", () => {
  test("E13: an abort while content is taken back starts nothing more", async () => {
    for (const where of ["marker", "event"]) {
      const world = new World();
      const controller = new AbortController();
      let opened = 0;
      const items = world.stream(
        () => {
          opened++;
          return breaking();
        },
        {
          inspect,
          policy: RESTART,
          signal: controller.signal,
          sink: {
            retractable: () => {
              if (where === "marker") controller.abort(new Error("enough"));
              return "<restart>";
            },
          },
          on: (event) => {
            world.events.push(event);
            if (event.type === "attempt-discard" && where === "event") controller.abort(new Error("enough"));
          },
        },
      );
      await world.time.until(read(items));
      await world.time.advance(1000);
      expect(opened, where).toBe(1);
      expect(world.types().at(-1), where).toBe("generation-end");
      expect(world.time.sleeping, where).toBe(0);
    }
  });

  test("E13: a listener of the attempt's signal that aborts the generation does not end it twice", async () => {
    const world = new World();
    const controller = new AbortController();
    const generation = world.start(
      (context) => {
        context.signal.addEventListener("abort", () => controller.abort(new Error("me too")));
        return hangs(context);
      },
      { signal: controller.signal },
    );
    await world.time.settle();
    generation.giveUp();
    const result = await generation.result;
    expect(world.event("generation-end")).toHaveLength(1);
    expect(world.event("generation-end")[0]?.receipt).toEqual(result.receipt);
  });

  test("B8: giving up in any event of a generation with one target starts nothing more", async () => {
    for (const type of ["attempt-start", "attempt-end", "wait-start", "wait-end"]) {
      const world = new World();
      const result = await world.run(world.script(fails(503)), {
        policy: sessionPolicy(),
        on: (event, generation) => {
          if (event.type === type) generation.giveUp();
        },
      });
      await world.time.advance(100_000);
      expect(result, type).toMatchObject({ ok: false, reason: "gave-up" });
      expect(world.startedAt, type).toHaveLength(type === "attempt-start" ? 0 : 1);
    }
  });
});

describe("foreign code that breaks", () => {
  test("E19: an inspector that returns an invalid value is reported, and the stream passes through", async () => {
    for (const nonsense of [null, undefined, "contents", 5, {}]) {
      const world = new World();
      const got = await read(
        world.stream(
          async function* () {
            yield "a";
          },
          { inspect: () => nonsense as never },
        ),
      );
      expect(got).toEqual({ items: ["a"], error: undefined });
      expect(world.time.faults).toMatchObject([{ where: "inspect" }]);
    }
  });

  test("E19: an iterator that resolves to an invalid value causes a failure, not a hang", async () => {
    const world = new World();
    const broken = { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve(undefined as never) }) };
    expect((await world.time.until(read(world.stream(() => broken, { inspect })))).error).toBeInstanceOf(TypeError);
  });

  test("E19: a health store derived from ours that breaks is guarded like any other", async () => {
    class Broken extends MemoryHealth {
      override succeeded(): void {
        throw new Error("no store");
      }
    }
    const world = new World();
    const health = new Broken();
    health.coolDown({ provider: "x", model: "y", credential: "z" }, "model", 1e9);
    expect(await world.run(world.script(answer("fine")), { health })).toMatchObject({ ok: true });
    expect(world.time.faults).toMatchObject([{ where: "health" }]);
  });

  test("E13: a call that fails at once for ever, without a delay, lets others have their turn", async () => {
    const ask = resilient(
      () => {
        throw httpError(503);
      },
      { schedules: { general: { type: "fixed", delayMs: 0 } }, breaker: null, budget: null },
    );
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("my turn")), 5);
    await expect(ask.with({ signal: controller.signal })()).rejects.toThrow("my turn");
  });
});

describe("the end of a whole answer", () => {
  async function* keptOpen(): AsyncGenerator<string> {
    yield "a";
    yield "[DONE]";
    await new Promise(() => undefined);
  }

  test("E15b: a source that stays open after its terminal marker has given a whole answer", async () => {
    const world = new World();
    const items = world.stream(keptOpen, { inspect });
    expect(await world.time.until(read(items))).toEqual({ items: ["a", "[DONE]"], error: undefined });
    expect(items.receipt).toMatchObject({ complete: true, truncated: false });
  });

  test("E15b: a reader that stops at the terminal marker has the complete answer", async () => {
    const world = new World();
    const items = world.stream(keptOpen, { inspect });
    for await (const item of items) if (item === "[DONE]") break;
    expect(items.receipt).toMatchObject({ complete: true, truncated: false, outcome: "succeeded" });
    expect(world.time.sleeping).toBe(0);
  });

  test("E13: leaving while an item is awaited ends that wait as an end, not as an error", async () => {
    const world = new World();
    const items = world.stream(() => keptOpen(), { inspect });
    await items.next();
    await items.next();
    const third = items.next();
    await items.return?.();
    expect(await third).toEqual({ done: true, value: undefined });
  });

  test("E16: the text of a discarded attempt does not count for the next", async () => {
    const world = new World();
    let calls = 0;
    async function* source(): AsyncGenerator<string> {
      yield calls++ === 0 ? "yes" : "no";
      if (calls === 1) throw httpError(502);
      yield "[DONE]";
    }
    const policy = definePolicy({
      ...RESTART,
      require: { text: "yes" },
      schedules: { general: { type: "fixed", delayMs: 10, atMost: 1 } },
    });
    const got = await world.time.until(read(world.stream(source, { inspect, policy, sink: "buffered" })));
    expect(got.error).toMatchObject({ failure: { kind: "invalid_content" } });
  });

  test("E15: a stalled source that ignores its signal is closed all the same", async () => {
    const world = new World();
    let isClosed = false;
    const deaf: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => undefined),
        return: () => {
          isClosed = true;
          return Promise.resolve({ done: true, value: undefined });
        },
      }),
    };
    const policy = {
      watchdog: { firstContentMs: 1000 },
      schedules: { general: { type: "fixed", delayMs: 1, atMost: 0 } },
    } as const;
    await world.time.until(read(world.stream(() => deaf, { inspect, policy })));
    expect(isClosed).toBe(true);
  });
});

describe("the single probe", () => {
  const policy = definePolicy({
    breaker: { failures: 1, cooldownMs: 1000, maxCooldownMs: 1000 },
    schedules: { general: { type: "fixed", delayMs: 0, atMost: 0 } },
  });

  test("B5: the outcome of an earlier attempt does not change the breaker while a probe is running", async () => {
    for (const end of ["abort", "success"]) {
      const world = new World();
      const options = { policy, health: new MemoryHealth(), targets: [{ provider: "p", model: "m" }] };
      let finish: (value: string) => void = () => undefined;
      const straggler = world.start(
        () =>
          new Promise((resolve) => {
            finish = resolve;
          }),
        options,
      );
      await world.time.settle();
      await world.run(world.script(fails(503)), options);
      await world.time.advance(1000);
      const probe = world.start(() => new Promise(() => undefined), options);
      await world.time.settle();
      if (end === "abort") straggler.giveUp();
      else finish("late");
      await straggler.result;
      // Still half-open: the next one is held back, and with no retries there is nothing to wait for.
      const next = await world.run(world.script(answer()), options);
      expect(next, end).toMatchObject({ ok: false, receipt: { attempts: 0 } });
      probe.giveUp();
      await probe.result;
    }
  });
});
