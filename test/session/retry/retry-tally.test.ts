import { describe, expect, test } from "vitest";
import { classify, type GenerationEvent, type Receipt } from "../../../src/kernel/index.ts";
import { RetryCounter } from "../../../src/session/index.ts";
import { emits, says } from "../../support/scripted-provider.ts";
import { retryTallySchema } from "../../wire/session-schemas.ts";
import { SessionWorld } from "../sessions.ts";

type Body = GenerationEvent extends infer E
  ? E extends GenerationEvent
    ? Omit<E, "generationId" | "at">
    : never
  : never;

const target = { provider: "acme", model: "large", credential: "" };
const overloaded = classify({ status: 503, message: "down" });
const begins: Body = { type: "attempt-start", attempt: 1, target };
const fails: Body = { type: "attempt-end", attempt: 1, target, ok: false, failure: overloaded };
const succeeds: Body = { type: "attempt-end", attempt: 1, target, ok: true };
const waits: Body = {
  ...{ type: "wait-start", attempt: 1, retry: 1, maxRetries: 3, schedule: "general", delayMs: 2000, until: 0 },
  ...{ waitedMs: 0, patienceMs: null, failure: overloaded, because: "" },
};
const waited = (waitedMs: number): Body => ({ type: "wait-end", attempt: 1, waitedMs, ended: "elapsed" });
const ends = (outcome: Receipt["outcome"]): Body => ({
  type: "generation-end",
  receipt: { outcome, complete: outcome === "succeeded" } as Receipt,
});

/** Each event happens a second after the one before. */
function count(...generations: readonly (readonly Body[])[]) {
  const counter = new RetryCounter();
  for (const [id, events] of generations.entries()) {
    for (const [second, event] of events.entries()) {
      counter.hear({ ...event, generationId: `g${id}`, at: second * 1000 } as GenerationEvent);
    }
  }
  return counter.tally;
}

describe("the tally of retries", () => {
  test("C7: a generation without trouble counts as one, and as no retry", () => {
    expect(count([begins, succeeds, ends("succeeded")])).toMatchObject({ generations: 1, retries: 0, retried: 0 });
  });

  test("C7: a retry counts once its call is made, with all that was waited for it", () => {
    const held = { ...waits, schedule: "" } as Body;
    const course = [begins, fails, waits, waited(2000), held, waited(5000)];
    expect(count(course).retries).toBe(0);
    expect(count([...course, begins])).toMatchObject({ retries: 1, waitedMs: 7000 });
    expect(count([...course, begins, succeeds, ends("succeeded")])).toMatchObject({
      ...{ retried: 1, recovered: 1, cancelled: 0, retryingMs: 7000 },
      statuses: { 503: { failures: 1, retries: 1, worked: 1 } },
    });
  });

  test("C7: a wait that was cancelled is no retry, and a retry that was stopped half-way is one", () => {
    const cancelled = count([begins, fails, waits, waited(1000), ends("gave-up")]);
    expect(cancelled).toMatchObject({ retries: 0, retried: 0, cancelled: 1, retryingMs: 0 });
    const stopped = count([begins, fails, waits, waited(1000), begins, ends("aborted")]);
    expect(stopped).toMatchObject({ retries: 1, retried: 1, recovered: 0, cancelled: 1 });
    expect(count([begins, ends("aborted")])).toMatchObject({ cancelled: 0 });
  });

  test("C7: an attempt that the user called off is no failure", () => {
    const calledOff = { ...fails, failure: { ...overloaded, kind: "aborted", status: undefined } } as Body;
    expect(count([begins, calledOff, ends("aborted")]).statuses).toEqual({});
  });

  test("C7: a failure without a status counts under its kind, also one that came with status 200", () => {
    const broken = { ...classify({ status: 200, message: "terminated" }), kind: "stream_broken" } as const;
    const { statuses } = count([begins, { ...fails, failure: broken } as Body, ends("not-retryable")]);
    expect(statuses).toEqual({ stream_broken: { failures: 1, retries: 0, worked: 0 } });
  });

  test("C11: generations side by side do not mix", () => {
    const counter = new RetryCounter();
    const hear = (generationId: string, event: Body): void =>
      counter.hear({ ...event, generationId, at: 0 } as GenerationEvent);
    for (const id of ["one", "two"]) for (const event of [begins, fails, waits]) hear(id, event);
    hear("one", waited(1000));
    hear("two", waited(3000));
    hear("two", begins);
    expect(counter.tally).toMatchObject({ retries: 1, waitedMs: 3000 });
  });

  test("C7, S9: a session counts its retries, those of sessions that share a counter together", async () => {
    const world = new SessionWorld();
    world.provider("acme", [emits(503), says("there"), emits(503), says("again")]);
    const retries = new RetryCounter();
    for (const conversationId of ["c1", "c2"]) {
      const session = await world.open({ conversationId }, { retries });
      await world.time.until(session.prompt("Hello"));
      expect(retryTallySchema.parse(session.retryTally)).toEqual(session.retryTally);
    }
    expect(retries.tally).toMatchObject({ generations: 2, retries: 2, recovered: 2, waitedMs: 4000 });
  });
});
