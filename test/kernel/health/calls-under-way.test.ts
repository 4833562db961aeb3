import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Admission,
  type AttemptContext,
  type CooldownScope,
  defaultPolicy,
  definePolicy,
  type Failure,
  type FailureKind,
  type GenerationEvent,
  type GenerationHandle,
  type Health,
  MemoryHealth,
  type Policy,
  type Reading,
  type Target,
} from "../../../src/index.ts";
import { answer, fails, hangs, hangsUntilAborted, httpError, read, type Step, World } from "../../support/world.ts";

/** Counts the calls that have started and not ended. A call that is never counted down would hold others back for ever. */
class Counting implements Health {
  private readonly inner = new MemoryHealth();
  private readonly ended = new Set<Admission>();
  starts = 0;
  underWay = 0;
  /** Below 0: one was reported twice. */
  least = 0;

  get isQuiet(): boolean {
    return this.inner.isQuiet;
  }
  blockedForMs(...asked: Parameters<MemoryHealth["blockedForMs"]>): number {
    return this.inner.blockedForMs(...asked);
  }
  refusalOf(target: Target, nowMs: number): FailureKind | undefined {
    return this.inner.refusalOf(target, nowMs);
  }
  admit(target: Target, policy: Policy, nowMs: number, isRetry: boolean): number {
    return this.inner.admit(target, policy, nowMs, isRetry);
  }
  coolDown(target: Target, scope: CooldownScope, untilMs: number): void {
    this.inner.coolDown(target, scope, untilMs);
  }
  refuse(target: Target, scope: CooldownScope, untilMs: number, kind: FailureKind): void {
    this.inner.refuse(target, scope, untilMs, kind);
  }
  started(target: Target): void {
    this.starts++;
    this.underWay++;
    this.inner.started(target);
  }
  countAnswer(target: Target, clock: { roughNow(): number }): void {
    this.end();
    this.inner.countAnswer(target, clock);
  }
  succeeded(attempt: Admission, nowMs: number): void {
    this.end(attempt);
    this.inner.succeeded(attempt, nowMs);
  }
  failed(attempt: Admission, failure: Failure, nowMs: number): void {
    this.end(attempt);
    this.inner.failed(attempt, failure, nowMs);
  }
  released(attempt: Admission, nowMs: number): void {
    this.end(attempt);
    this.inner.released(attempt, nowMs);
  }
  private end(attempt?: Admission): void {
    if (attempt !== undefined && this.ended.has(attempt)) throw new Error("This attempt has ended before");
    if (attempt !== undefined) this.ended.add(attempt);
    this.least = Math.min(this.least, --this.underWay);
  }
}

const expectNoneLeft = (health: Counting, world: World): void => {
  expect([health.underWay, health.least]).toEqual([0, 0]);
  expect(world.time.faults.filter(({ where }) => where === "health")).toEqual([]);
};

const STEPS = {
  answer: answer("a good answer"),
  odd: answer({ no: "text in here" }),
  lacking: answer("not what was asked for"),
  overloaded: fails(529),
  server: fails(500, "the same error"),
  unknown: () => {
    throw new Error("a bug in the caller's code");
  },
  refused: fails(401),
  limited: fails(429, "slow down", { "retry-after": "2" }),
  rejected: () => Promise.reject(httpError(503)),
  hangs,
  hangsUntilAborted,
} satisfies Record<string, Step>;

/** What a listener does at the n-th event. */
type Interference = "none" | "give-up" | "retry-now" | "abort" | "throw";

const interference = fc.record({
  what: fc.constantFrom<Interference>("none", "none", "give-up", "retry-now", "abort", "throw"),
  at: fc.nat({ max: 12 }),
});

const policies = fc.record({
  isEnabled: fc.boolean(),
  require: fc.constantFrom(null, { text: "good" }, { pattern: "g..d" }),
  hasHealth: fc.boolean(),
});

function policyFor(facts: { isEnabled: boolean; require: Policy["require"]; hasHealth: boolean }): Policy {
  return definePolicy(
    {
      enabled: facts.isEnabled,
      require: facts.require,
      patienceMs: 60_000,
      watchdog: { firstContentMs: 5000, idleMs: 2000 },
      afterContent: "restart",
      ...(facts.hasHealth ? {} : { breaker: null, budget: null }),
    },
    defaultPolicy(),
  );
}

const TARGETS = ["a", "b"].map((provider) => ({ provider, model: "m", credentials: ["k", "l"] }));

function interfering({ what, at }: { what: Interference; at: number }, controller: AbortController) {
  let events = 0;
  return (_: GenerationEvent, handle: GenerationHandle): void => {
    if (events++ < at) return;
    if (what === "give-up") handle.giveUp();
    if (what === "retry-now") handle.retryNow();
    if (what === "abort") controller.abort();
    if (what === "throw") throw new Error("a broken listener");
  };
}

describe("B5: calls under way in the engine", () => {
  test("B5: whatever becomes of the attempts of a call, each is reported once, and none stays counted", async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...Object.values(STEPS)), { minLength: 1, maxLength: 6 }),
        policies,
        interference,
        fc.record({
          abortAtMs: fc.option(fc.nat({ max: 9000 }), { nil: undefined }),
          cancelGraceMs: fc.constantFrom(0, 500),
          targets: fc.constantFrom(undefined, TARGETS),
          isHeard: fc.boolean(),
        }),
        async (steps, facts, disturbed, { abortAtMs, cancelGraceMs, targets, isHeard }) => {
          const world = new World();
          const health = new Counting();
          const controller = new AbortController();
          if (abortAtMs !== undefined) world.time.after(abortAtMs, () => controller.abort());
          const call = world.script(...steps, STEPS.answer);
          const result = await world.run(call, {
            policy: policyFor(facts),
            health,
            cancelGraceMs,
            signal: controller.signal,
            ...(targets !== undefined && { targets }),
            ...(isHeard ? { on: interfering(disturbed, controller) } : { on: undefined as never }),
          });
          seen.add(result.ok ? "succeeded" : result.reason);
          // Attempts that were given up may still settle.
          await world.time.advance(60_000);
          expectNoneLeft(health, world);
        },
      ),
      { numRuns: 400 },
    );
    for (const outcome of ["succeeded", "aborted", "gave-up", "not-retryable"]) expect(seen).toContain(outcome);
  });

  type Item = string | { readonly error: unknown };
  const inspect = (item: Item): Reading => {
    if (typeof item === "object") return { problem: item.error };
    if (item === "[DONE]") return "end";
    return item.startsWith(":") ? "noise" : "content";
  };
  const BAD = { error: httpError(529) };
  const ATTEMPTS: readonly (readonly (Item | "hang" | "throw" | "not-open" | "no-stream")[])[] = [
    ["a", "good", "[DONE]"],
    ["a", "good", "[DONE]", "hang"],
    ["a", "[DONE]", "throw"],
    ["a"],
    ["a", BAD],
    [":", "hang"],
    ["a", "hang"],
    ["throw"],
    ["a", "throw"],
    ["not-open"],
    ["no-stream"],
    ["[DONE]"],
  ];

  /** One list an attempt, the last one for all that follow. */
  function playing(attempts: readonly (typeof ATTEMPTS)[number][], onReturn: () => void) {
    let calls = 0;
    return (_: AttemptContext): AsyncIterable<Item> => {
      const items = attempts[Math.min(calls++, attempts.length - 1)] ?? [];
      if (items[0] === "not-open") throw httpError(503);
      if (items[0] === "no-stream") return { not: "a stream" } as unknown as AsyncIterable<Item>;
      let n = 0;
      const next = async (): Promise<IteratorResult<Item>> => {
        const item = items[n++];
        if (item === undefined) return { done: true, value: undefined };
        if (item === "hang") return new Promise(() => undefined);
        if (item === "throw") throw httpError(502);
        return { done: false, value: item };
      };
      const source = {
        next,
        return: async (): Promise<IteratorResult<Item>> => {
          onReturn();
          return { done: true, value: undefined };
        },
      };
      return { [Symbol.asyncIterator]: () => source };
    };
  }

  test("B5: the same holds for streams, for consumers that leave early and for sources that abort when they are closed", async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...ATTEMPTS), { minLength: 1, maxLength: 5 }),
        policies,
        interference,
        fc.record({
          leavesAfter: fc.option(fc.nat({ max: 4 }), { nil: undefined }),
          cancelGraceMs: fc.constantFrom(0, 500),
          sink: fc.constantFrom("committed" as const, "buffered" as const, { retractable: () => "<again>" }),
          abortAtMs: fc.option(fc.nat({ max: 9000 }), { nil: undefined }),
          abortsWhenClosed: fc.boolean(),
          isInspected: fc.boolean(),
        }),
        async (attempts, facts, disturbed, options) => {
          const world = new World();
          const health = new Counting();
          const controller = new AbortController();
          if (options.abortAtMs !== undefined) world.time.after(options.abortAtMs, () => controller.abort());
          const open = playing([...attempts, ATTEMPTS[0] as never], () => {
            if (options.abortsWhenClosed) controller.abort();
          });
          const items = world.stream<Item>(open, {
            policy: policyFor(facts),
            health,
            sink: options.sink,
            cancelGraceMs: options.cancelGraceMs,
            signal: controller.signal,
            textOf: (item) => (typeof item === "string" ? item : ""),
            on: interfering(disturbed, controller),
            ...(options.isInspected && { inspect }),
          });
          const leave = async (after: number): Promise<void> => {
            const reader = items[Symbol.asyncIterator]();
            try {
              for (let n = 0; n < after; n++) await reader.next();
            } catch {
              // The stream has failed before the consumer leaves.
            }
            await reader.return?.();
          };
          await world.time.until<unknown>(options.leavesAfter === undefined ? read(items) : leave(options.leavesAfter));
          seen.add(items.receipt.outcome);
          await world.time.advance(60_000);
          expectNoneLeft(health, world);
        },
      ),
      { numRuns: 400 },
    );
    for (const outcome of ["succeeded", "aborted", "gave-up"]) expect(seen).toContain(outcome);
  });

  test("E15b: a consumer that leaves at the terminal marker has the whole answer, though its source aborts when it is closed", async () => {
    const world = new World();
    const health = new Counting();
    const controller = new AbortController();
    const open = playing([["a", "[DONE]"]], () => controller.abort());
    const items = world.stream<Item>(open, { policy: defaultPolicy(), health, inspect, signal: controller.signal });
    for await (const item of items) if (item === "[DONE]") break;
    expect(items.receipt).toMatchObject({ outcome: "succeeded", complete: true });
    expect(world.event("attempt-end").map(({ ok }) => ok)).toEqual([true]);
    expectNoneLeft(health, world);
  });

  test("B5: a call whose promise can't be waited for is not counted for ever", async () => {
    const odd = (): Promise<unknown> => {
      const promise = new Promise(() => undefined);
      Reflect.set(promise, "then", () => {
        throw new Error("a broken promise library");
      });
      return promise;
    };
    const world = new World();
    const health = new Counting();
    const result = await world.run(world.script(fails(503), odd), { policy: defaultPolicy(), health });
    expect(result.ok).toBe(false);
    expect(health.starts).toBe(2);
    expectNoneLeft(health, world);
  });
});
