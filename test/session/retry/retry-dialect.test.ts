import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classify, type GenerationEvent, type StopReason } from "../../../src/kernel/index.ts";
import { conclude, type DialectState, factsOf, idle, translate } from "../../../src/session/retry/retry-dialect.ts";
import type { SessionEvent } from "../../../src/wire/index.ts";

const target = (model: string) => ({ provider: "p", model, credential: "" });
const failure = classify(new Error("down"));
const base = { generationId: "g", at: 0, attempt: 1 };
const FRAME = { role: "default", primary: "p/one", maxAttempts: 3 };

const WAIT: GenerationEvent = {
  ...base,
  type: "wait-start",
  retry: 1,
  maxRetries: 3,
  schedule: "general",
  delayMs: 5,
  waitedMs: 0,
  patienceMs: null,
  until: 5,
  failure,
  because: "",
};
const BLOCKED: GenerationEvent = { ...WAIT, schedule: "" };
const WAITED: GenerationEvent = { ...base, type: "wait-end", waitedMs: 5, ended: "elapsed" };
const moves = (from: string, to: string, attempt = 1): GenerationEvent => ({
  ...base,
  attempt,
  type: "target-switch",
  from: target(from),
  to: target(to),
  how: "switch",
  because: "",
  failure,
});
const begins = (model: string): GenerationEvent => ({ ...base, type: "attempt-start", target: target(model) });

function play(events: readonly GenerationEvent[], reason?: StopReason, start: DialectState = idle("p/one")) {
  const said: SessionEvent[] = [];
  let state = start;
  for (const event of events) {
    const next = translate(state, event, FRAME);
    state = next.state;
    said.push(...next.events);
  }
  const last = conclude(state, { reason, failure }, FRAME);
  return { said: [...said, ...last.events], state, after: last.state };
}

describe("the session's counting", () => {
  test("S4: an answer without retries emits no retry event", () => {
    expect(play([begins("one")]).said).toEqual([]);
  });

  test("S7: a policy that limits all waits together adds how much was and may be waited", () => {
    const announced = {
      type: "auto_retry_start",
      ...{ attempt: 1, maxAttempts: 3, delayMs: 5, errorMessage: "down", heldBack: false },
      ...factsOf(failure),
    };
    expect(play([begins("one"), WAIT]).said[0]).toEqual(announced);
    const limited = { ...WAIT, waitedMs: 48_000, patienceMs: 300_000 } as GenerationEvent;
    expect(play([begins("one"), limited]).said[0]).toEqual({ ...announced, waitedMs: 48_000, patienceMs: 300_000 });
  });

  test("S4: patience that is over ends a chain, as max and cap do, even where no retry came about", () => {
    for (const reason of ["retries-exhausted", "delay-cap", "patience"] as const) {
      expect(play([begins("one")], reason).said).toMatchObject([
        { type: "auto_retry_end", success: false, attempt: 0 },
      ]);
    }
    expect(play([begins("one")], "not-retryable").said).toEqual([]);
  });

  test("S4: a wait for another model counts once, though it is a wait and a move", () => {
    const { state } = play([begins("one"), WAIT, WAITED, moves("one", "two"), begins("two")]);
    expect(state).toMatchObject({ attempt: 1, active: "p/two" });
  });

  test("S4: a wait for a breaker before the first call has a number like any other, in the state and at the end", () => {
    const { said, state } = play([BLOCKED, WAITED, begins("one")]);
    expect(said).toMatchObject([
      { type: "auto_retry_start", attempt: 1, maxAttempts: 4 },
      { type: "auto_retry_end", success: true, attempt: 1 },
    ]);
    expect(state.attempt).toBe(1);
  });

  test("S4: no two starts of a chain have the same number, and as many retries are left as the policy allows", () => {
    const { said } = play(
      [BLOCKED, WAITED, BLOCKED, WAITED, begins("one"), WAIT, WAITED, BLOCKED, WAITED, begins("one"), WAIT],
      "retries-exhausted",
    );
    const starts = said.filter((one) => one.type === "auto_retry_start");
    expect(starts.map(({ attempt, maxAttempts }) => [attempt, maxAttempts])).toEqual([
      [1, 4],
      [2, 5],
      [3, 5],
      [4, 6],
      [5, 6],
    ]);
    expect(said.at(-1)).toMatchObject({ type: "auto_retry_end", success: false, attempt: 5 });
  });

  test("C1: where retries have no end, waits for a breaker give them none", () => {
    const endless = { ...FRAME, maxAttempts: null };
    expect(translate(idle("p/one"), BLOCKED, endless).events).toMatchObject([{ attempt: 1, maxAttempts: null }]);
  });

  test("S6: going round a cooling model before the first call is no retry, and no news if it was so before", () => {
    expect(play([moves("one", "two", 0), begins("two")]).said.map(({ type }) => type)).toEqual([
      "model_change",
      "retry_fallback_applied",
      "retry_fallback_succeeded",
    ]);
    expect(play([moves("one", "two", 0), begins("two")], undefined, idle("p/two")).said).toEqual([]);
  });

  test("S4: after any events and any end the counter is 0, starts are numbered 1, 2, 3 …, and there is one end at most", () => {
    const event = fc.constantFrom(
      WAIT,
      BLOCKED,
      WAITED,
      moves("one", "two"),
      moves("two", "one"),
      begins("one"),
      begins("two"),
    );
    const reasons: (StopReason | undefined)[] = [
      undefined,
      "retries-exhausted",
      "delay-cap",
      "aborted",
      "gave-up",
      "hand-over",
      "not-retryable",
    ];
    fc.assert(
      fc.property(fc.array(event), fc.constantFrom(...reasons), (events, reason) => {
        const { said, state, after } = play(events, reason);
        expect(after).toMatchObject({ attempt: 0, isOpen: false });
        const starts = said.filter((one) => one.type === "auto_retry_start").map(({ attempt }) => attempt);
        expect(starts).toEqual(starts.map((_, i) => i + 1));
        const ends = said.filter((one) => one.type === "auto_retry_end");
        expect(ends.length).toBeLessThanOrEqual(1);
        expect(state.attempt).toBe(starts.length);
        if (starts.length > 0) expect(ends).toMatchObject([{ attempt: starts.length, success: reason === undefined }]);
        if (reason === "aborted" || reason === "gave-up")
          for (const { finalError } of ends) expect(finalError).toBe("Retry cancelled");
        const changes = said.filter((one) => one.type === "model_change");
        for (const [i, { from }] of changes.entries()) expect(from).toBe(changes[i - 1]?.to ?? "p/one");
      }),
    );
  });
});
