import { describe, expect, test } from "vitest";
import * as presets from "../../../src/presets/index.ts";
import {
  type LabRun,
  labPolicy,
  runLab,
  SCENARIO_NAMES,
  type ScenarioName,
  scenarioOf,
  survey,
} from "../../../src/simulator/lab/index.ts";

function policyOf(name: string) {
  const policy = labPolicy(name);
  if (policy === undefined) throw new Error(`No policy ${name}`);
  return policy;
}

const live = (scenario: ScenarioName, policy: string, seed: number): Promise<LabRun> =>
  runLab({ scenario: scenarioOf(scenario), policy: policyOf(policy), clients: 1000, seed });

const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
const SMALL = {
  clients: 50,
  size: { slots: 10, queueLimit: 20, serviceMs: 1000 },
  timeline: { warmUpMs: 2000, steadyMs: 8000, afterMs: 20_000 },
};

describe("B7: the lab", () => {
  test("B7: finds every preset by its name", () => {
    const made = Object.values(presets).flatMap((preset) => (typeof preset === "function" ? [preset()] : []));
    for (const policy of made) expect(labPolicy(policy.name)).toEqual(policy);
  });

  test.each(["default", "console", "cockatiel"])(
    "E12: the same seed gives the identical run for %s, down to the summed call times",
    async (name) => {
      const input = {
        ...SMALL,
        scenario: scenarioOf("black-hole"),
        policy: policyOf(name),
        outageMs: 20_000,
      };
      const [first, second, other] = [
        await runLab({ ...input, seed: 5 }),
        await runLab({ ...input, seed: 5 }),
        await runLab({ ...input, seed: 6 }),
      ];
      expect(first.events).toBeGreaterThan(100);
      expect({ series: first.series, events: first.events }).toEqual({ series: second.series, events: second.events });
      expect(other.series).not.toEqual(first.series);
    },
  );

  const steady = SCENARIO_NAMES.filter((name) => {
    const { start, isConstant } = scenarioOf(name);
    return start === "steady" && !isConstant;
  });

  test.each(steady)("B7: %s starts steady, has its outage, and accounts for every call", async (name) => {
    const scenario = scenarioOf(name);
    const { series, outageFrom, isWhole } = await runLab({
      ...SMALL,
      timeline: { ...SMALL.timeline, afterMs: SMALL.timeline.afterMs + scenario.settleMs },
      scenario,
      policy: policyOf("console"),
      seed: 1,
      outageMs: 20_000,
    });
    expect(isWhole).toBe(true);
    const inSteadyState = (numbers: readonly number[]): number => total(numbers.slice(2, outageFrom));
    expect(inSteadyState(series.rejected) + inSteadyState(series.lost)).toBe(0);
    expect(total(series.calls)).toBe(total(series.reached) + total(series.lost));
    const trouble = total(series.rejected) + total(series.lost) + total(series.abandoned);
    expect(trouble).toBeGreaterThan(10);
    const ended = total(series.callsAnswered) + total(series.rejected) + total(series.abandoned);
    expect(total(series.calls) - ended).toBeLessThanOrEqual(SMALL.clients);
    expect(total(series.answered)).toBeGreaterThan(100);
  });

  test.each(["drizzle", "drizzle-hints"] as const)("B7: %s fails a few calls from start to end", async (name) => {
    const { series } = await runLab({ scenario: scenarioOf(name), policy: policyOf("console"), clients: 500, seed: 1 });
    for (const [from, to] of [
      [0, 60],
      [60, 300],
      [300, 360],
    ] as const) {
      const share = (of: readonly number[]) => total(of.slice(from, to)) / total(series.reached.slice(from, to));
      expect(share(series.rejected)).toBeCloseTo(0.05, 1.7);
      expect(share(series.cut)).toBeCloseTo(0.0095, 1.9);
    }
  });

  test.each([
    [1, 10, 3],
    [5, 50, 15],
    [12, 100, 30],
    [50, 100, 30],
    [1000, 2000, 600],
  ])("B7: burst-429 with %i clients is %i calls at once against %i a minute", async (clients, calls, perMinute) => {
    const input = { scenario: scenarioOf("burst-429"), policy: policyOf("none"), clients, seed: 1 };
    const { series, outageFrom } = await runLab(input);
    expect(series.offered[outageFrom]).toBe(calls);
    expect(total(series.reached) - total(series.rejected)).toBe(perMinute);
  });

  test.each([1, 5, 1000])(
    "B7: in thundering-start all of %i clients start at once, then they go on",
    async (clients) => {
      const scenario = scenarioOf("thundering-start");
      const { series, outageFrom } = await runLab({ scenario, policy: policyOf("none"), clients, seed: 1 });
      expect(total(series.offered.slice(0, outageFrom))).toBe(0);
      expect(series.calls[outageFrom]).toBeGreaterThanOrEqual(clients);
      const perSecond = 0.4 * Math.max(Math.min(clients, 10), clients / 5);
      expect(total(series.offered.slice(outageFrom + 60)) / 61).toBeGreaterThan(0.8 * perSecond);
    },
  );

  test("B7: in slow-start the slots come back within a minute after the errors", async () => {
    const input = { scenario: scenarioOf("slow-start"), policy: policyOf("none"), clients: 1000, seed: 1 };
    const { series, outageTo } = await runLab(input);
    expect(series.busy[outageTo + 5]).toBeGreaterThan(30);
    // A tenth at first, then 15 in a hundred more every ten seconds.
    expect(series.busy[outageTo + 10]).toBeLessThanOrEqual(51);
    expect(total(series.rejected.slice(outageTo + 1, outageTo + 5))).toBe(0);
  });

  test("B7: the steady load matches the scenario", async () => {
    const { series } = await live("black-hole", "none", 1);
    expect(total(series.offered.slice(10, 60)) / 50).toBeCloseTo(140, -1);
    expect(total(series.busy.slice(10, 60)) / 50).toBeCloseTo(140, -1);
  });

  test("B7: clients with a fallback provider hardly notice a regional outage", async () => {
    const { figures } = await live("regional-outage", "default", 1);
    expect(figures.failed).toBe(0);
    expect(figures.waited).toBeLessThan(1);
  });

  test("B7: eight hours of the patient schedule for a thousand clients take seconds", async () => {
    const before = process.cpuUsage();
    const outageMs = 8 * 3_600_000;
    const { series } = await runLab({
      scenario: scenarioOf("fast-503"),
      policy: policyOf("patient"),
      clients: 1000,
      seed: 1,
      outageMs,
    });
    const { user, system } = process.cpuUsage(before);
    // The processor's time, not the clock's: other tests run beside this one.
    expect((user + system) / 1_000_000).toBeLessThan(10);
    expect(total(series.rejected)).toBeGreaterThan(21_000);
  });
});

describe("B5: herd safety of the default policy, 1000 clients", () => {
  test.each<[ScenarioName, number]>([
    ["fast-503", 1],
    ["fast-503", 2],
    ["black-hole", 1],
    ["black-hole", 30],
    ["black-hole", 31],
  ])("B5: %s with seed %i stays within the bars", async (scenario, seed) => {
    const { figures } = await live(scenario, "default", seed);
    expect(figures.amplification).toBeLessThanOrEqual(1.15);
    expect(figures.peak).toBeLessThanOrEqual(2);
    expect(figures.recoverySeconds ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(15);
    expect(figures.wasted).toBeLessThanOrEqual(0.01);
    expect(figures.failed).toBe(0);
  });

  test.each([1, 2, 3])(
    "B5: burst-429 with seed %i: no generation fails, and calls come back spread out",
    async (seed) => {
      const { figures, series, outageFrom } = await live("burst-429", "default", seed);
      expect(series.offered[outageFrom]).toBe(2000);
      expect(total(series.offered)).toBe(2000);
      expect(total(series.answered)).toBe(2000);
      expect(figures.failed).toBe(0);
      expect(figures.amplification).toBeLessThanOrEqual(2);
      // Of the limit: all who were limited would be 140 times as many.
      expect(figures.peak).toBeLessThanOrEqual(30);
      // 2,000 calls at 600 per minute take three minutes at least.
      expect(figures.recoverySeconds ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(210);
    },
  );

  test("B5: in burst-429 a policy without a ramp sends a herd", async () => {
    const { figures } = await live("burst-429", "session", 1);
    expect(figures.peak).toBeGreaterThan(100);
  });

  test("B5: plain schedules multiply the load of an outage", async () => {
    const { figures } = await live("fast-503", "console", 1);
    expect(figures.amplification).toBeGreaterThan(1.8);
    expect(figures.peak).toBeGreaterThan(2);
  });
});

describe("B7: a survey", () => {
  test("B7: reports its progress up to the end, and the worst figures over its seeds", async () => {
    const shares: number[] = [];
    const made = await survey({
      scenario: scenarioOf("flapping"),
      policies: [{ policy: policyOf("default") }, { policy: policyOf("none") }],
      clients: 20,
      seeds: 2,
      firstSeed: 3,
      replicas: 1,
      outageMs: 5000,
      onProgress: (share) => shares.push(share),
    });
    expect(made).toMatchObject({ isWhole: true, outageFrom: 60, outageTo: 65 });
    expect(made.policies.map(({ name, runs }) => [name, runs])).toEqual([
      ["default", 2],
      ["none", 2],
    ]);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
  });

  test("B7: keeps the finished runs when it is stopped", async () => {
    const stopping = new AbortController();
    const made = await survey({
      scenario: scenarioOf("flapping"),
      policies: [{ policy: policyOf("none") }],
      clients: 100,
      seeds: 3,
      firstSeed: 1,
      replicas: 1,
      signal: stopping.signal,
      onProgress: (share) => share > 0.5 && stopping.abort(),
    });
    expect(made.isWhole).toBe(false);
    expect(made.policies[0]?.runs).toBe(1);
  });
});
