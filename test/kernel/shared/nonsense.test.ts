import { describe, expect, test } from "vitest";
import { AFTER_LIMIT, AFTER_OUTAGE, startRamp } from "../../../src/kernel/health/ramp.ts";
import { NO_TRAFFIC } from "../../../src/kernel/health/traffic.ts";
import { MemoryHealth, type Target } from "../../../src/kernel/index.ts";
import { applyCooldown, breakerKey, readFactKey } from "../../../src/kernel/shared/cooldown-fact.ts";
import { type Fact, FactTable, isGreater, readFact } from "../../../src/kernel/shared/fact.ts";
import { readMessage } from "../../../src/kernel/shared/message.ts";
import { readBreaker, writeBreaker } from "../../../src/kernel/shared/sent-breaker.ts";

const NOW = 1000;
const TARGET: Target = { provider: "p", model: "m", credential: "k" };
const fact = (changes: Partial<Fact> = {}): Fact => ({
  key: "k",
  epoch: 0,
  rank: 1,
  untilMs: 5000,
  value: "a",
  ...changes,
});

describe("B5: what other processes send is checked", () => {
  test.each([
    ["no list", "fact"],
    ["too few parts", ["k", 0, 1]],
    ["a key that is no text", [1, 0, 1, 5000, ""]],
    ["a value that is no text", ["k", 0, 1, 5000, {}]],
    ["an epoch before all time", ["k", -1, 1, 5000, ""]],
    ["a rank of next year", ["k", 0, 400 * 86_400_000, 5000, ""]],
    ["an end that is no number", ["k", 0, 1, "soon", ""]],
    ["an end in the past", ["k", 0, 1, NOW, ""]],
  ])("B5: %s is no fact", (_, sent) => {
    expect(readFact(sent, NOW)).toBeUndefined();
  });

  test("B5: of two facts the later epoch counts, then the rank, the text, the end", () => {
    expect(isGreater(fact({ epoch: 1 }), fact({ rank: 9 }))).toBe(true);
    expect(isGreater(fact({ rank: 1 }), fact({ rank: 2 }))).toBe(false);
    expect(isGreater(fact({ value: "b" }), fact())).toBe(true);
    expect(isGreater(fact({ untilMs: 6000 }), fact())).toBe(true);
    expect(isGreater(fact(), fact())).toBe(false);
  });

  test("B5: facts whose time is over are forgotten once there are many", () => {
    const table = new FactTable();
    for (let n = 0; n < 150; n++) table.add(fact({ key: `${n}`, untilMs: n < 100 ? 10 : 9000 }));
    table.sweep(NOW);
    expect([table.get("3"), table.get("120")?.untilMs]).toEqual([undefined, 9000]);
  });

  test.each([["{"], ["1"], ["[1]"], ["[]"], ['["breaker"]'], ['["weather","p"]']])(
    "B5: %s is no key of a fact",
    (key) => {
      expect(readFactKey(key)).toBeUndefined();
    },
  );

  test("B5: a cooldown that is over changes nothing", () => {
    const health = new MemoryHealth();
    applyCooldown(health, fact(), { target: TARGET, scope: "model", untilMs: NOW, nowMs: NOW });
    expect(health.blockedForMs(TARGET, null, NOW)).toBe(0);
    applyCooldown(health, fact({ value: '"auth"' }), { target: TARGET, scope: "model", untilMs: NOW + 9, nowMs: NOW });
    expect(health.refusalOf(TARGET, NOW)).toBe("auth");
  });

  test.each([
    ["{"],
    ["1"],
    ['{"v":2,"from":"a"}'],
    ['{"v":1,"from":""}'],
    ['{"v":1,"from":"a","facts":1}'],
    ['{"v":1,"from":"a","calls":{}}'],
  ])("B5: %s is no message", (text) => {
    expect(readMessage(text, NOW)).toBeUndefined();
  });

  test("B5: of a message what can be read counts", () => {
    const calls = [1, ["p", "m", "k"], ["p", "m", 3, 0, []], ["p", "m", "k", -1, []], ["p", "m", "k", 0, "counts"]];
    const text = JSON.stringify({ v: 1, from: "a", facts: ["x"], calls, specs: { breaker: { failures: "many" } } });
    expect(readMessage(text, NOW)).toEqual({
      from: "a",
      facts: [],
      targets: [],
      specs: { breaker: null, budget: null },
    });
    expect(readMessage('{"v":1,"from":"a","specs":3}', NOW)?.specs).toEqual({ breaker: null, budget: null });
  });

  test.each([
    ["{"],
    ["1"],
    ['{"phase":"ajar"}'],
    ['{"phase":"open"}'],
    ['{"phase":"recovering","ramp":1}'],
    ['{"phase":"recovering","ramp":{}}'],
  ])("B5: %s is no state of a breaker", (text) => {
    expect(readBreaker(text, 0)).toBeUndefined();
  });

  test("B5: a way back after a limit or an outage arrives as it was sent", () => {
    for (const steepness of [AFTER_LIMIT, AFTER_OUTAGE]) {
      const ramp = startRamp({ nowMs: NOW, quietMs: 0, usual: NO_TRAFFIC, successes: 1, steepness });
      const back = readBreaker(writeBreaker({ phase: "recovering", ramp }, 50), -50);
      expect(back).toMatchObject({ phase: "recovering", ramp: { steepness, sinceMs: NOW } });
    }
    expect(readBreaker(writeBreaker({ phase: "closed" } as never, 0), 0)).toMatchObject({ phase: "closed" });
    expect(breakerKey("p")).toBe('["breaker","p"]');
  });
});
