import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { GenerationFacts } from "../../src/activity/activity.ts";
import { MOST_ATTEMPTS, recordAfter, recordAfterContent, startRecord } from "../../src/activity/record-after.ts";
import { definePolicy, type GenerationEvent, type RunOptions } from "../../src/index.ts";
import { PRESETS } from "../../src/presets/index.ts";
import type { ActivityRecord } from "../../src/wire/http/activity.ts";
import { answer, fails, hangs, type Step, World } from "../support/world.ts";

const facts: GenerationFacts = { door: "chat", policy: "default", asked: "first/a" };
const CANARY = "canary-in-the-words-of-the-provider";

function recordOf(events: readonly GenerationEvent[]): ActivityRecord {
  const [first] = events;
  if (first === undefined) throw new Error("no event");
  return events.reduce(recordAfter, startRecord(facts, first.generationId, first.at));
}

const steps: Readonly<Record<string, Step>> = {
  "429": fails(429, CANARY),
  "429 with a hint": fails(429, CANARY, { "retry-after": "7" }),
  "500": fails(500, `${CANARY} again`),
  "529": fails(529, CANARY),
  "401": fails(401, CANARY),
  "400": fails(400, CANARY),
  quota: fails(429, `insufficient_quota ${CANARY}`),
  silence: hangs,
  answer: answer(),
};

const targets = [
  { provider: "first", model: "a", credentials: ["one", "two"] },
  { provider: "second", model: "b" },
];

/** What a person does meanwhile: at the n-th event. */
const meddling = fc.option(
  fc.record({ at: fc.nat(12), what: fc.constantFrom("retryNow" as const, "giveUp" as const) }),
);

describe("B4: the record of a generation", () => {
  test("B4: agrees with the receipt of the engine, whatever happens", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...Object.keys(steps)), { minLength: 1, maxLength: 9 }),
        fc.constantFrom(...Object.keys(PRESETS)),
        fc.constantFrom(1, 2),
        meddling,
        async (script, preset, length, person) => {
          const world = new World();
          const options: RunOptions = {
            policy: definePolicy({ watchdog: { firstContentMs: 9000 } }, PRESETS[preset]?.()),
            targets: targets.slice(0, length),
            on: (event, handle) => {
              world.events.push(event);
              if (world.events.length === person?.at) handle[person.what]();
            },
          };
          const play = world.script(...script.map((name) => steps[name] as Step), answer());
          const { receipt } = await world.run(play, options);
          // Each state on the way is whole.
          for (let count = 1; count <= world.events.length; count++) {
            const record = recordOf(world.events.slice(0, count));
            expect(record.wait === undefined).toBe(record.state !== "waiting");
            expect(record.outcome === undefined).toBe(record.state !== "ended");
            expect(record.waitedMs).toBeGreaterThanOrEqual(0);
          }
          const record = recordOf(world.events);
          expect(record).toMatchObject({
            id: receipt.generationId,
            state: "ended",
            outcome: receipt.outcome,
            attemptCount: receipt.attempts,
            waitedMs: receipt.waitedMs,
          });
          expect(record.attempts.at(-1)?.attempt ?? 0).toBe(receipt.attempts);
          expect(record.attempts.every(({ startedAt, endedAt = -1 }) => endedAt >= startedAt)).toBe(true);
          const failed = receipt.history.filter(({ kind }) => kind !== undefined);
          const seen = record.attempts.filter(({ ok, kind }) => ok === false && kind !== "aborted");
          expect(seen.map(({ attempt, kind, status }) => ({ attempt, kind, status }))).toEqual(
            failed
              .filter(({ kind }) => kind !== "aborted")
              .map(({ attempt, kind, status }) => ({ attempt, kind, status })),
          );
          expect(record.answered).toBe(receipt.complete ? answeredBy(record) : undefined);
          expect(JSON.stringify(record)).not.toContain(CANARY);
        },
      ),
      { numRuns: 150 },
    );
  });

  test("B4: waits are those of the attempt before them, with how they ended", async () => {
    const world = new World();
    const play = world.script(fails(503), fails(503), answer());
    await world.run(play, { policy: { schedules: { general: { type: "fixed", delayMs: 1000 } }, budget: null } });
    expect(recordOf(world.events).attempts).toMatchObject([
      { attempt: 1, ok: false, kind: "overloaded", status: 503, waitedMs: 1000, waitEnded: "elapsed" },
      { attempt: 2, ok: false, waitedMs: 1000 },
      { attempt: 3, ok: true },
    ]);
  });

  test("B4: while it waits, the record has the end of the wait, its number and the reason", async () => {
    const world = new World();
    const generation = world.start(fails(503), {
      policy: { schedules: { general: { type: "fixed", delayMs: 1000, atMost: 4 } }, budget: null },
    });
    await world.time.advance(500);
    const record = recordOf(world.events);
    expect(record).toMatchObject({
      state: "waiting",
      wait: { attempt: 1, retry: 1, maxRetries: 4, kind: "overloaded", because: expect.stringMatching(/./) },
    });
    expect(record.wait?.until).toBe((record.wait?.startedAt ?? 0) + 1000);
    generation.giveUp();
  });

  test("B4: a move to another target is noted at the attempt before it", async () => {
    const world = new World();
    await world.run(world.script(fails(401), answer()), { targets });
    expect(recordOf(world.events)).toMatchObject({
      attempts: [{ moved: "rotate", target: { credential: "one" } }, { target: { credential: "two" } }],
      answered: "first/a",
    });
  });

  test("B4: it keeps the last 50 attempts, and counts all", async () => {
    const world = new World();
    const play = world.script(...Array.from({ length: 70 }, () => fails(503)), answer());
    await world.run(play, {
      policy: { schedules: { general: { type: "fixed", delayMs: 1 } }, budget: null, breaker: null, patienceMs: null },
    });
    const record = recordOf(world.events);
    expect(record.attemptCount).toBe(71);
    expect(record.attempts.map(({ attempt }) => attempt)).toEqual(
      Array.from({ length: MOST_ATTEMPTS }, (_, n) => n + 22),
    );
  });

  test("B4: the commit point is the first content of an attempt that is under way; later content changes nothing", async () => {
    const world = new World();
    await world.run(world.script(answer()));
    const started = recordOf(world.events.slice(0, 1));
    const committed = recordAfterContent(started, started.startedAt + 5);
    expect(committed).toMatchObject({ state: "answering", attempts: [{ firstContentAt: started.startedAt + 5 }] });
    expect(recordAfterContent(committed, started.startedAt + 9)).toBe(committed);
    const ended = recordOf(world.events);
    expect(recordAfterContent(ended, ended.startedAt)).toBe(ended);
  });
});

function answeredBy({ attempts }: ActivityRecord): string {
  const { provider, model } = attempts.at(-1)?.target ?? { provider: "", model: "" };
  return `${provider}/${model}`;
}
