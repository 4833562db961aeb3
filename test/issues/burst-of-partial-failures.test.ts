import { describe, expect, test } from "vitest";
import { type AttemptContext, type GenerationEvent, resilient } from "../../src/index.ts";
import { createRandom, VirtualWorld } from "../../src/simulator/world/index.ts";
import { httpError } from "../support/world.ts";

// Errors come within milliseconds, answers take longer: in a burst of a new process the first outcomes are all failures.

const BURST = 300;

/** A burst in a process that knows nothing yet. `failing`: which share of the calls fails. */
async function burst(failing: number) {
  const world = new VirtualWorld();
  const random = createRandom(3);
  const waits: GenerationEvent[] = [];
  let calls = 0;
  const ask = resilient(
    async (_: AttemptContext) => {
      calls++;
      const isFailing = world.nowMs < 5000 && random() < failing;
      await world.pause(isFailing ? 1 + 20 * random() : 500 + 500 * random());
      if (isFailing) throw httpError(503, "Overloaded");
      return "answer";
    },
    undefined,
    { ports: world.ports, on: (event) => event.type === "wait-start" && waits.push(event) },
  );
  const outcomes = await world.until(Promise.allSettled(Array.from({ length: BURST }, () => ask())));
  const heldBack = waits.filter((event) => event.type === "wait-start" && event.schedule === "");
  return { calls, heldBack: heldBack.length, failed: outcomes.filter(({ status }) => status === "rejected").length };
}

describe("B5: a burst in a new process", () => {
  test("B5: a third of failures holds no call back, though they come before the answers", async () => {
    const { calls, heldBack, failed } = await burst(0.3);
    expect({ heldBack, failed }).toEqual({ heldBack: 0, failed: 0 });
    expect(calls).toBeLessThan(BURST * 1.6);
  });

  test("B5: if everything fails, it opens the breaker: after the burst only probes are sent", async () => {
    const { calls, heldBack, failed } = await burst(1);
    expect(failed).toBe(0);
    expect(heldBack).toBeGreaterThan(BURST);
    // Each call once in vain, once with success, and a few probes.
    expect(calls).toBeLessThan(BURST * 2 + 30);
  });
});
