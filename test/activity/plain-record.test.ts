import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Entry, type Heard } from "../../src/activity/entry.ts";
import { plainRecord } from "../../src/activity/plain-record.ts";
import { recordAfter, recordAfterContent, startRecord } from "../../src/activity/record-after.ts";
import { definePolicy, type GenerationEvent } from "../../src/index.ts";
import type { ActivityRecord } from "../../src/wire/http/activity.ts";
import { answer, fails, type Step, World } from "../support/world.ts";

const targets = [{ provider: "first", model: "a" }];
const handle = { isWaiting: false, retryNow: () => false, giveUp: () => false } as never;

async function eventsOf(...steps: readonly Step[]): Promise<readonly GenerationEvent[]> {
  const world = new World();
  const policy = definePolicy({ schedules: { general: { type: "fixed", delayMs: 5, atMost: 9 } }, breaker: null });
  await world.run(world.script(...steps), { policy, targets, on: (event) => void world.events.push(event) });
  return world.events;
}

/** Step by step, with the first content after the start of each attempt where `contentAfter` says so. */
function stepByStep(facts: Parameters<typeof startRecord>[0], heard: readonly Heard[]): ActivityRecord {
  const [first] = heard as readonly GenerationEvent[];
  if (first === undefined) throw new Error("no event");
  let record = startRecord(facts, first.generationId, first.at);
  for (const one of heard) {
    if (one.type === "content") record = recordAfterContent(record, one.at);
    else if (one.type !== "usage") record = recordAfter(record, one);
  }
  return record;
}

const factsOf = fc.record(
  {
    door: fc.constantFrom("chat", "gateway"),
    policy: fc.string(),
    asked: fc.string(),
    client: fc.string(),
    conversationId: fc.string(),
    turnId: fc.string(),
  },
  { requiredKeys: ["door", "policy", "asked"] },
);

describe("B4: the record of a generation that succeeds at once", () => {
  test("B4: is the same as if it were made step by step", async () => {
    const events = await eventsOf(answer());
    fc.assert(
      fc.property(factsOf, fc.boolean(), fc.nat(1000), (facts, hasContent, atMs) => {
        const [start, ...others] = events as [GenerationEvent, ...GenerationEvent[]];
        const heard: Heard[] = hasContent ? [start, { type: "content", at: start.at + atMs }, ...others] : [...events];
        expect(plainRecord(facts, heard)).toEqual(stepByStep(facts, heard));
      }),
    );
  });

  test("B4: is not made at once after a failure, or before the end", async () => {
    const facts = { door: "chat", policy: "default", asked: "first/a" };
    expect(plainRecord(facts, await eventsOf(fails(500, "down"), answer()))).toBeUndefined();
    expect(plainRecord(facts, await eventsOf(fails(400, "wrong")))).toBeUndefined();
    expect(plainRecord(facts, (await eventsOf(answer())).slice(0, -1))).toBeUndefined();
    expect(plainRecord(facts, [])).toBeUndefined();
  });

  test("B4: an entry shows the same record whenever it is looked at", async () => {
    const facts = { door: "chat", policy: "default", asked: "first/a" };
    const failures = Array.from({ length: 8 }, () => fails(500, `down ${Math.random()}`));
    for (const events of [await eventsOf(answer()), await eventsOf(...failures, answer())]) {
      fc.assert(
        fc.property(fc.array(fc.boolean(), { minLength: events.length, maxLength: events.length }), (looks) => {
          const entry = Entry.begin(facts, 1, handle);
          for (const [at, event] of events.entries()) {
            entry.hear(event);
            if (looks[at]) expect(entry.record).toEqual(stepByStep(facts, events.slice(0, at + 1)));
          }
          expect(entry.record).toEqual(stepByStep(facts, events));
        }),
      );
    }
  });
});
