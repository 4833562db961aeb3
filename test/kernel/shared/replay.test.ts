import { describe, expect, test } from "vitest";
import type { HealthParts } from "../../../src/kernel/health/memory-health.ts";
import { MemoryHealth, type Target } from "../../../src/kernel/index.ts";
import { type CallEvent, newCounts, PLACE_OF } from "../../../src/kernel/shared/counts.ts";
import { Directory } from "../../../src/kernel/shared/directory.ts";
import { replay } from "../../../src/kernel/shared/replay.ts";
import { defaultPolicy } from "../../../src/presets/index.ts";

const TARGET: Target = { provider: "p", model: "m", credential: "k" };
const { breaker, budget } = defaultPolicy();

/** Health after the calls of another process. */
function healthAfter(
  counts: Partial<Record<CallEvent, number>>,
  specs = { breaker, budget },
  cooledUntilMs = 0,
): MemoryHealth {
  const health = new MemoryHealth();
  if (cooledUntilMs > 0) health.coolDown(TARGET, "model", cooledUntilMs);
  const news = newCounts();
  for (const [event, count] of Object.entries(counts)) news[PLACE_OF[event as CallEvent]] = count;
  const parts = health.parts() as HealthParts;
  replay(health, parts, { target: TARGET, news, specs, nowMs: 1000, isCurrent: true });
  return health;
}

const admissions = Object.fromEntries(Object.keys(PLACE_OF).map((event) => [event, 2])) as Partial<
  Record<CallEvent, number>
>;

describe("B5: calls of other processes", () => {
  test("B5: count without a breaker or budget too, and then change nothing but the traffic", () => {
    const health = healthAfter(admissions, { breaker: null, budget: null });
    expect(health.blockedForMs(TARGET, breaker, 1000)).toBe(0);
  });

  test("B5: do not end a cooldown that still runs here", () => {
    expect(healthAfter(admissions, { breaker, budget }, 9000).blockedForMs(TARGET, null, 1000)).toBe(8000);
  });

  test("B5: take places on the way back from a cooldown that is over", () => {
    const health = healthAfter(admissions, { breaker, budget }, 900);
    expect(health.blockedForMs(TARGET, null, 1000)).toBeLessThan(2000);
    expect(healthAfter(admissions, { breaker: null, budget }, 900).blockedForMs(TARGET, null, 1000)).toBe(0);
  });

  test("B5: of a message with absurd counts only some are replayed, so that it holds nothing up", () => {
    const most = Number.MAX_SAFE_INTEGER;
    const health = healthAfter({ started: most, admitted: most, answered: most, sick: most, ended: most });
    expect(health.blockedForMs(TARGET, breaker, 1000)).toBeGreaterThanOrEqual(0);
  });

  test("B5: beyond a thousand targets those of one provider share a name", () => {
    const directory = new Directory((target) => target);
    for (let n = 0; n < 1000; n++) directory.add({ ...TARGET, model: `m${n}` });
    const [one, other] = ["x", "y"].map((model) => directory.add({ ...TARGET, model }));
    expect(one?.target.model).toBe(other?.target.model);
    expect(directory.add({ ...TARGET, provider: "q" }).target.provider).toBe("q");
  });
});
