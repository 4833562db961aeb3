import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  advance,
  CALL_EVENTS,
  type Counts,
  newCounts,
  readCounts,
  sentCounts,
  underWayOf,
} from "../../../src/kernel/shared/counts.ts";
import { type Fact, FactTable, isGreater, readFact, sentFact } from "../../../src/kernel/shared/fact.ts";
import { type Message, readMessage, writeMessage } from "../../../src/kernel/shared/message.ts";
import { Peers } from "../../../src/kernel/shared/peers.ts";
import { interleaved } from "../../../src/kernel/shared/replay.ts";

const SHARED_MS = 1_800_000_000_000;
/** Few values, so that ties happen. */
const moment = fc.integer({ min: 0, max: 3 }).map((n) => SHARED_MS + 1000 + n);
const fact: fc.Arbitrary<Fact> = fc.record({
  key: fc.constantFrom("a", "b"),
  epoch: fc.integer({ min: 0, max: 2 }),
  rank: moment,
  untilMs: moment,
  value: fc.constantFrom("", '"x"', '"y"'),
});
const counts: fc.Arbitrary<Counts> = fc.array(fc.nat(50), {
  minLength: CALL_EVENTS.length,
  maxLength: CALL_EVENTS.length,
});

/** What one process says one after the other: no count ever falls. */
const sequence = fc.array(counts, { minLength: 1, maxLength: 8 }).map((steps) => {
  const sums = newCounts();
  return steps.map((step) => step.map((by, place) => (sums[place] = (sums[place] ?? 0) + by)));
});

function known(facts: readonly Fact[]): readonly (Fact | undefined)[] {
  const table = new FactTable();
  for (const each of facts) table.add(each);
  return ["a", "b"].map((key) => table.get(key));
}

describe("B5: what processes tell each other", () => {
  test("B5: facts give the same knowledge in any order and however often they come", () => {
    fc.assert(
      fc.property(fc.array(fact, { maxLength: 12 }), fc.infiniteStream(fc.nat()), (facts, order) => {
        const shuffled = [...facts, ...facts]
          .map((each) => [order.next().value as number, each] as const)
          .sort(([a], [b]) => a - b)
          .map(([, each]) => each);
        expect(known(shuffled)).toEqual(known(facts));
      }),
    );
  });

  test("B5: of two different facts with one key exactly one counts", () => {
    fc.assert(
      fc.property(fact, fact, (one, other) => {
        const same = { ...other, key: one.key };
        const isEqual = JSON.stringify(one) === JSON.stringify({ ...same });
        expect(isGreater(one, same) === isGreater(same, one)).toBe(isEqual);
      }),
    );
  });

  test("B5: counts of a process add up to the same, in any order and however often its messages come", () => {
    fc.assert(
      fc.property(sequence, fc.infiniteStream(fc.nat()), (said, order) => {
        const last = said.at(-1) as Counts;
        const arriving = [...said, ...said]
          .map((each) => [order.next().value as number, each] as const)
          .sort(([a], [b]) => a - b)
          .map(([, each]) => each);
        let counted: Counts = newCounts();
        const total = newCounts();
        for (const heard of arriving) {
          const step = advance(counted, heard);
          counted = step.counts;
          for (const [place, by] of step.news.entries()) total[place] = (total[place] ?? 0) + by;
        }
        expect(total).toEqual([...last]);
        expect(counted).toEqual([...last]);
      }),
    );
  });

  test("B5: a message survives the way there, and nothing else is taken for one", () => {
    const target = fc.record({ provider: fc.string(), model: fc.string(), credential: fc.string() });
    const calls = fc.array(fc.record({ target, counts, stamp: fc.nat() }), { maxLength: 3 });
    const specs = { breaker: null, budget: null };
    fc.assert(
      fc.property(fc.array(fact, { maxLength: 3 }), calls, (facts, targets) => {
        const message: Message = { from: "me", facts, targets, specs };
        const trimmed = targets.map((each) => ({ ...each, counts: sentCounts(each.counts) }));
        expect(readMessage(writeMessage(message), SHARED_MS)).toEqual({ ...message, targets: trimmed });
      }),
    );
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(readMessage(text, SHARED_MS)).toBeUndefined();
      }),
    );
  });

  test.each([
    ["no list", { 0: "a" }],
    ["too short", ["a", 0, SHARED_MS]],
    ["over", ["a", 0, SHARED_MS, SHARED_MS - 1, ""]],
    ["a year ahead", ["a", 0, SHARED_MS + 365 * 86_400_000, SHARED_MS + 1000, ""]],
    ["not a number", ["a", 0, Number.NaN, SHARED_MS + 1000, ""]],
  ])("B5: a fact that is %s is ignored", (_what, sent) => {
    expect(readFact(sent, SHARED_MS)).toBeUndefined();
  });

  test("B5: a fact survives the way there", () => {
    fc.assert(
      fc.property(fact, (each) => {
        expect(readFact(sentFact(each), SHARED_MS)).toEqual(each);
      }),
    );
  });

  test.each([[["x"]], [[-1]], [[0.5]], [new Array(99).fill(0)], ["counts"]])("B5: %j are no counts", (sent) => {
    expect(readCounts(sent)).toBeUndefined();
  });

  test("B5: mixes answers and failures of one message evenly, and keeps their number", () => {
    fc.assert(
      fc.property(counts, (news) => {
        const mixed = [...interleaved(news)];
        const sick = CALL_EVENTS.indexOf("sick");
        expect(mixed.filter((event) => event === "sick")).toHaveLength(news[sick] ?? 0);
      }),
    );
    const half = newCounts();
    half[CALL_EVENTS.indexOf("answered")] = 3;
    half[CALL_EVENTS.indexOf("sick")] = 3;
    expect([...interleaved(half)]).toEqual(["answered", "sick", "answered", "sick", "answered", "sick"]);
  });

  test("B5: of a process that is new only the calls under way count, and they end with it", () => {
    const peers = new Peers();
    const target = { provider: "p", model: "m", credential: "" };
    const heard = newCounts();
    heard[CALL_EVENTS.indexOf("started")] = 1000;
    heard[CALL_EVENTS.indexOf("answered")] = 990;
    const [first] = peers.hear("other", [{ target, counts: heard, stamp: 0 }], 0);
    expect(first?.news.reduce((sum, count) => sum + count)).toBe(10);
    expect(underWayOf(heard)).toBe(10);
    expect(peers.forget(-1)).toEqual([]);
    expect(peers.forget(0)).toEqual([{ target, underWay: 10 }]);
    expect(peers.size).toBe(0);
  });
});
