import { describe, expect, test } from "vitest";
import { definePolicy } from "../../src/kernel/index.ts";
import { defaultPolicy } from "../../src/presets/index.ts";
import { type Figures, labEntrant, SCENARIO_NAMES } from "../../src/simulator/lab/index.ts";
import { barsOf } from "../../tune/bars.ts";
import { cellsOf } from "../../tune/cells.ts";
import { goalsOf } from "../../tune/goals.ts";
import { combineAll, GRID, parseAxis, varyEach } from "../../tune/grid.ts";
import { seedsOfJudge } from "../../tune/judging.ts";
import { parseOptions } from "../../tune/options.ts";
import { dominates, paretoFront } from "../../tune/pareto.ts";
import { runJob } from "../../tune/run-job.ts";
import { areApart, JUDGING_SEEDS, TUNING_SEEDS, takeSeeds } from "../../tune/seeds.ts";

const GOOD: Figures = {
  amplification: 1.1,
  peak: 1.5,
  recoverySeconds: 5,
  wasted: 0.006,
  failed: 0,
  waited: 1,
  served: 0.9,
  p95Seconds: 4,
};

describe("B7: seeds", () => {
  test("B7: those for judging are not used for tuning", () => {
    expect(areApart(TUNING_SEEDS, JUDGING_SEEDS)).toBe(true);
    expect(areApart({ first: 1, most: 10 }, { first: 10, most: 1 })).toBe(false);
    expect(areApart({ first: 11, most: 10 }, { first: 1, most: 10 })).toBe(true);
  });

  test("B7: a range gives its first seeds, and not more than it has", () => {
    expect(takeSeeds({ first: 7, most: 3 }, 2)).toEqual([7, 8]);
    expect(() => takeSeeds({ first: 7, most: 3 }, 4)).toThrow("seeds must be at most 3; got 4");
  });

  test("B7: the judge gives a policy that shares nothing one replica count, and peers one seed at 10,000 clients", () => {
    const cell = { scenario: "brownout", clients: 1000, replicas: 20 } as const;
    expect(seedsOfJudge(cell, "console", 20)).toEqual([]);
    expect(seedsOfJudge({ ...cell, replicas: 1 }, "console", 20)).toHaveLength(20);
    expect(seedsOfJudge(cell, "console", 20, [20])).toHaveLength(20);
    expect(seedsOfJudge(cell, "resilience4j", 20)).toHaveLength(20);
    expect(seedsOfJudge(cell, "default", 20)).toHaveLength(20);
    expect(seedsOfJudge({ ...cell, scenario: "regional-outage" }, "console", 20)).toHaveLength(20);
    expect(seedsOfJudge({ ...cell, clients: 10_000 }, "aws-standard", 20)).toEqual([JUDGING_SEEDS.first]);
    expect(seedsOfJudge({ ...cell, clients: 10_000 }, "default", 20)).toHaveLength(20);
    const costly = { scenario: "long-outage", clients: 10_000, replicas: 1 } as const;
    expect(seedsOfJudge(costly, "default", 20)).toHaveLength(3);
    expect(seedsOfJudge(costly, "aws-standard", 20)).toEqual([]);
  });
});

describe("B7: cells", () => {
  test("B7: are all scenarios at all sizes, without replicas that would have no clients", () => {
    const cells = cellsOf({});
    expect(cells).toHaveLength(SCENARIO_NAMES.length * (1 + 1 + 2 + 2 + 2));
    expect(cells.filter(({ clients, replicas }) => clients < replicas)).toEqual([]);
    expect(cellsOf({ scenarios: ["brownout"], clients: [1, 50], replicas: [20] })).toEqual([
      { scenario: "brownout", clients: 50, replicas: 20 },
    ]);
  });
});

describe("B7: the grid", () => {
  const base = definePolicy({
    name: "default",
    schedules: { general: { type: "exponential", baseMs: 1000, factor: 2, capMs: 60_000, jitter: "full", atMost: 6 } },
    maxDelayMs: 120_000,
  });

  test("B7: reads a path and its values", () => {
    expect(parseAxis("breaker.cooldownMs=1000,2e3")).toEqual({ path: "breaker.cooldownMs", values: [1000, 2000] });
    expect(parseAxis("maxDelayMs=null")).toEqual({ path: "maxDelayMs", values: [null] });
    for (const wrong of ["", "a", "a=", "a=1,", "a=x", "a=1=2", "=1"]) expect(() => parseAxis(wrong)).toThrow("--set");
  });

  test("B7: changes one field and leaves its neighbours", () => {
    const [, changed] = combineAll([{ path: "schedules.general.baseMs", values: [500] }], base);
    expect(changed?.name).toBe("schedules.general.baseMs=500");
    const { schedules } = definePolicy(changed?.changes ?? {}, base);
    expect(schedules.general).toEqual({ ...base.schedules.general, baseMs: 500 });
  });

  test("B7: combines all axes, or varies each alone; the policy itself comes first, once", () => {
    const axes = [
      { path: "schedules.general.baseMs", values: [500, 1000] },
      { path: "maxDelayMs", values: [60_000, 120_000, null] },
    ];
    expect(combineAll(axes, base).map(({ name }) => name)).toEqual([
      "default",
      "schedules.general.baseMs=500 maxDelayMs=60000",
      "schedules.general.baseMs=500",
      "schedules.general.baseMs=500 maxDelayMs=null",
      "maxDelayMs=60000",
      "maxDelayMs=null",
    ]);
    expect(varyEach(axes, base).map(({ name }) => name)).toEqual([
      "default",
      "schedules.general.baseMs=500",
      "maxDelayMs=60000",
      "maxDelayMs=null",
    ]);
  });

  test("B7: rejects a field that the policy does not have, and a value that is not allowed", () => {
    expect(() => combineAll([{ path: "breaker.mood", values: [1] }], base)).toThrow("breaker.mood");
    expect(() => combineAll([{ path: "maxDelayMs", values: [-1] }], base)).toThrow("maxDelayMs");
  });

  test("B7: leaves out combinations that no policy may have", () => {
    const axes = [
      { path: "breaker.cooldownMs", values: [1000, 9000] },
      { path: "breaker.maxCooldownMs", values: [2000, 9000] },
    ];
    const breaker = { failures: 5, cooldownMs: 2000, maxCooldownMs: 3000, rampMs: 30_000 };
    const names = combineAll(axes, definePolicy({ name: "x", breaker }, base)).map(({ name }) => name);
    expect(names).toEqual([
      "default",
      "breaker.cooldownMs=1000 breaker.maxCooldownMs=2000",
      "breaker.cooldownMs=1000 breaker.maxCooldownMs=9000",
      "breaker.cooldownMs=9000 breaker.maxCooldownMs=9000",
    ]);
  });

  test.each(GRID)(
    "B7: the built-in one has smaller and larger values than the default of $path",
    ({ path, values }) => {
      const names = varyEach([{ path, values }], defaultPolicy()).map(({ name }) => name);
      // The default's own value is among them, and makes no candidate.
      expect(names).toHaveLength(values.length);
      for (const value of [values[0], values.at(-1)]) expect(names).toContain(`${path}=${value}`);
    },
  );
});

describe("B7: the front", () => {
  test("B7: has what nothing else beats", () => {
    expect(dominates([1, 2], [1, 3])).toBe(true);
    expect(dominates([1, 2], [1, 2])).toBe(false);
    expect(dominates([0, 3], [1, 2])).toBe(false);
    const points = [
      [1, 5],
      [2, 2],
      [3, 3],
      [5, 1],
      [2, 2],
    ];
    expect(paretoFront(points, (point) => point)).toEqual([
      [1, 5],
      [2, 2],
      [5, 1],
      [2, 2],
    ]);
  });

  test("B7: goals compare each cell with the best candidate there", () => {
    const [one, two] = goalsOf([
      [
        { ...GOOD, waited: 0.9, amplification: 1 },
        { ...GOOD, waited: 0 },
      ],
      [
        { ...GOOD, waited: 3.9, amplification: 2, failed: 0.1 },
        { ...GOOD, waited: 0 },
      ],
    ]);
    expect(one).toEqual({ lost: 0, wait: 1, load: 1 });
    expect(two?.lost).toBe(0.05);
    expect(two?.wait).toBeCloseTo(2);
    expect(two?.load).toBeCloseTo(Math.sqrt(2));
  });
});

describe("B5: the bars", () => {
  const cell = { scenario: "fast-503", clients: 1000, replicas: 1 } as const;
  const missed = (...args: Parameters<typeof barsOf>) =>
    barsOf(...args)
      .filter(({ isReached }) => !isReached)
      .map(({ what }) => what);

  test("B5: are all reached by good figures", () => {
    expect(missed(cell, GOOD, { peer: { ...GOOD, waited: 0.8 } })).toEqual([]);
    expect(barsOf(cell, GOOD, {}).map(({ what }) => what)).toEqual([
      "failed",
      "amplification",
      "wasted",
      "peak",
      "recovery",
    ]);
  });

  test.each<[Partial<Figures>, readonly string[]]>([
    [{ failed: 0.001 }, ["failed"]],
    [{ amplification: 1.16 }, ["amplification"]],
    [{ wasted: 0.021 }, ["wasted"]],
    [{ peak: 2.1 }, ["peak"]],
    [{ recoverySeconds: Number.POSITIVE_INFINITY }, ["recovery"]],
    [{ waited: 1.4 }, ["wait"]],
  ])("B5: %j misses %j", (changes, what) => {
    expect(missed(cell, { ...GOOD, ...changes }, { peer: GOOD })).toEqual(what);
  });

  test("B5: only a peer that is as quiet and fails as little sets the bar for the wait", () => {
    const slow = { ...GOOD, waited: 10 };
    expect(missed(cell, slow, { loud: { ...GOOD, amplification: 1.2 }, quitter: { ...GOOD, failed: 0.1 } })).toEqual(
      [],
    );
    expect(missed(cell, { ...slow, failed: 0.2 }, { quitter: { ...GOOD, failed: 0.1 } })).toEqual(["failed", "wait"]);
  });

  test("B5: in a partial outage the best of all that fail nothing counts, with twice its wait", () => {
    const brownout = { ...cell, scenario: "brownout" } as const;
    const loud = { ...GOOD, amplification: 3 };
    expect(missed(brownout, { ...GOOD, waited: 2.1 }, { loud })).toEqual(["wait, of the best"]);
    expect(missed(brownout, { ...GOOD, waited: 2 }, { loud })).toEqual([]);
    expect(missed(brownout, { ...GOOD, waited: 9 }, { quitter: { ...loud, failed: 0.01 } })).toEqual([]);
    expect(missed(brownout, { ...GOOD, waited: 0.05 }, { loud: { ...loud, waited: 0 } })).toEqual([]);
  });

  test("B5: few callers in a process may make more calls, and have no peak or recovery", () => {
    const loud = { ...GOOD, amplification: 1.25 };
    expect(missed({ ...cell, clients: 50 }, loud, {})).toEqual(["amplification"]);
    expect(missed({ ...cell, clients: 50, replicas: 20 }, loud, {})).toEqual([]);
    expect(missed({ ...cell, clients: 1 }, { ...loud, peak: null, recoverySeconds: null }, {})).toEqual([]);
    expect(missed({ ...cell, clients: 500 }, { ...GOOD, peak: 9 }, {})).toEqual([]);
  });

  test("B5: an outage beyond the patience may fail generations, and a burst has limits of its own", () => {
    const long = { ...cell, scenario: "long-outage" } as const;
    expect(missed(long, { ...GOOD, failed: 0.4 }, {})).toEqual([]);
    expect(missed({ ...long, clients: 1 }, { ...GOOD, amplification: 4 }, {})).toEqual([]);
    expect(missed(long, { ...GOOD, amplification: 4 }, {})).toEqual(["amplification"]);
    const burst = { ...GOOD, amplification: 1.7, peak: 15, recoverySeconds: 200 };
    expect(missed({ ...cell, scenario: "burst-429" }, burst, {})).toEqual([]);
    expect(missed({ ...cell, scenario: "burst-429" }, { ...burst, peak: 51 }, {})).toEqual(["peak"]);
  });
});

describe("B7: the options of tune and judge", () => {
  test("B7: restrict scenarios, sizes and seeds", () => {
    const args = [
      "--scenarios",
      "brownout,drizzle",
      "--clients",
      "1,50",
      "--seeds",
      "3",
      "--jobs",
      "2",
      "--set",
      "a=1",
    ];
    expect(parseOptions(args, ["set"])).toMatchObject({
      scenarios: ["brownout", "drizzle"],
      clients: [1, 50],
      seeds: 3,
      processes: 2,
      sets: ["a=1"],
    });
  });

  test.each([
    [["--scenarios", "rain"], "--scenarios must be one of fast-503"],
    [["--clients", "0"], "--clients must be a whole number from 1 to 20000; got 0"],
    [["--set", "a=1"], "--set must be omitted"],
    [["--nonsense"], "Unknown option '--nonsense'"],
  ])("B7: %j is a usage error", (args, message) => {
    expect(() => parseOptions(args, ["quick"])).toThrow(message);
  });
});

test("B7: a run for the grid is the run of the lab", async () => {
  const cell = { scenario: "flapping", clients: 5, replicas: 1, seed: 1 } as const;
  expect(await runJob({ ...cell, policy: "default" })).toEqual(await runJob({ ...cell, policy: {} }));
  const { calls } = await runJob({ ...cell, policy: "none" });
  expect(calls).toBeGreaterThan(0);
  expect(labEntrant("none")).toBeDefined();
  await expect(runJob({ ...cell, policy: "hope" })).rejects.toThrow("Unknown policy: hope");
});
