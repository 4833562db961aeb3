import { describe, expect, test } from "vitest";
import { defaultPolicy } from "../../../src/presets/index.ts";
import { type LabRun, runLab, type ScenarioName, scenarioOf } from "../../../src/simulator/lab/index.ts";
import { often } from "../../support/soak.ts";

/** Ten clients in each process. In `npm run soak` a hundred processes, in `npm test` thirty. */
const REPLICAS = often(30, 100);

const live = (scenario: ScenarioName, isShared: boolean): Promise<LabRun> =>
  runLab({
    ...{
      scenario: scenarioOf(scenario),
      policy: defaultPolicy(),
      clients: REPLICAS * 10,
      seed: 5001,
      replicas: REPLICAS,
    },
    ...{
      isShared,
      outageMs: often(20_000, 60_000),
      timeline: { steadyMs: often(20_000, 50_000), afterMs: often(30_000, 120_000) },
    },
  });

describe("B7: the lab with processes that share their health", () => {
  test.each(["fast-503", "flapping"] as const)(
    "B5: in %s they call like one process, not like many",
    async (scenario) => {
      const alone = await live(scenario, false);
      const shared = await live(scenario, true);
      expect(shared.figures.amplification).toBeLessThan(1.15);
      expect(shared.figures.amplification).toBeLessThan(alone.figures.amplification - 0.05);
      expect(shared.figures.failed).toBe(0);
      expect(shared.figures.wasted).toBeLessThan(0.02);
    },
  );

  test("E12: the same seed gives the identical run", async () => {
    const [first, second] = [await live("fast-503", true), await live("fast-503", true)];
    expect(first.series).toEqual(second.series);
  });
});
