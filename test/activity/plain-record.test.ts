import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Entry, type Heard } from "../../src/activity/entry.ts";
import { type Plain, plainRecord, readPlain } from "../../src/activity/plain-record.ts";
import { recordAfter, recordAfterContent, startRecord } from "../../src/activity/record-after.ts";
import { RecordWindow } from "../../src/activity/record-window.ts";
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
        expect(plainRecord(facts, readPlain(heard) as Plain)).toEqual(stepByStep(facts, heard));
      }),
    );
  });

  test("B4: is not made at once after a failure, or before the end", async () => {
    expect(readPlain(await eventsOf(fails(500, "down"), answer()))).toBeUndefined();
    expect(readPlain(await eventsOf(fails(400, "wrong")))).toBeUndefined();
    expect(readPlain((await eventsOf(answer())).slice(0, -1))).toBeUndefined();
    expect(readPlain([])).toBeUndefined();
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

  test("B4: a window shows the same records, packed or not, in the order of their starts", async () => {
    const facts = { door: "gateway", policy: "default", asked: "first/a", client: "one" };
    const ways = [await eventsOf(answer()), await eventsOf(fails(500, "down"), answer()), await eventsOf(fails(400))];
    const flags = { isRead: fc.boolean(), isFound: fc.boolean(), hasUsage: fc.boolean(), isReadBefore: fc.boolean() };
    const oneOf = fc.record({ way: fc.nat(2), ...flags });
    fc.assert(
      fc.property(fc.array(oneOf, { maxLength: 12 }), fc.integer({ min: 1, max: 8 }), (list, limit) => {
        const window = new RecordWindow(limit);
        const expected: ActivityRecord[] = [];
        for (const [number, { way, isRead, isFound, hasUsage, isReadBefore }] of list.entries()) {
          const id = `generation-${number}`;
          const events = (ways[way] ?? []).map((event) => ({ ...event, generationId: id }) as GenerationEvent);
          const entry = window.add(facts, handle);
          for (const event of events) entry.hear(event);
          window.end(entry);
          let record = stepByStep(facts, events);
          // A page reads the list before the usage comes.
          if (isReadBefore) window.newestFirst();
          if (hasUsage) {
            entry.hear({ type: "usage", usage: { inputTokens: 1, outputTokens: number } });
            window.revive(entry);
            record = { ...record, usage: { inputTokens: 1, outputTokens: number } };
          }
          expected.unshift(record);
          if (isRead) expect(window.newestFirst()).toEqual(expected.slice(0, limit));
          if (isFound) expect(window.find(id)?.record).toEqual(record);
        }
        expect(window.newestFirst()).toEqual(expected.slice(0, limit));
        expect(window.find("generation-none")).toBeUndefined();
      }),
    );
  });
});
