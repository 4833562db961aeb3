import { describe, expect, test } from "vitest";
import type { Generation, SavedGeneration, Target } from "../../../src/kernel/index.ts";
import { restoreGeneration, saveGeneration } from "../../../src/kernel/run/saved-generation.ts";

const KNOWN: Target = { provider: "a", model: "one", credential: "" };
const GONE: Target = { provider: "b", model: "two", credential: "" };
const setup = {
  ports: { now: () => 100, wallNow: () => 5000 },
  policy: { scheduleNames: ["general", "limits"] },
  chain: { targets: [KNOWN] },
};

describe("B6: a generation that was saved", () => {
  test("B6: goes on though its target is gone and the policy has another schedule", () => {
    const saved: SavedGeneration = {
      ...{ version: 1, attempts: 2, startedAt: 4000, until: 6000, target: GONE, next: GONE, failure: null },
      ...{ used: { general: [1, 10] }, leftSinceWait: [GONE], spent: [KNOWN] },
      trail: { triesHere: 1, waitedAfter: null, rare: { earlier: [{ attempt: 1, target: GONE }], warnings: [] } },
    };
    const generation = { setup } as unknown as Generation;
    restoreGeneration(generation, saved);
    expect(generation).toMatchObject({ position: 0, attemptsMade: 2, wakeAtMs: 1100, state: "waiting" });
    expect(generation.trail?.history()).toMatchObject([{ attempt: 1, target: GONE }]);
    expect([generation.trail?.failure, generation.trail?.waitTo]).toEqual([undefined, 0]);
  });

  test("B6: that has met no failure yet is saved without one, for the target that it has", () => {
    const trail = {
      waitTo: 7,
      used: [],
      drawnMs: [],
      rare: { leftSinceWait: [], spent: [], earlier: [], warnings: [] },
    };
    const generation = {
      setup,
      attemptsMade: 0,
      clockMs: 90,
      target: () => KNOWN,
      remember: () => ({ save: () => trail }),
    };
    expect(saveGeneration(generation as unknown as Generation, 9000)).toMatchObject({
      ...{ failure: null, next: KNOWN, startedAt: 4990, until: 9000 },
      used: { general: [0, 0], limits: [0, 0] },
    });
  });
});
