import { describe, expect, test } from "vitest";
import { preparePolicy, type Schedule, SINGLE_TARGET } from "../../src/kernel/index.ts";
import { CallGeneration } from "../../src/kernel/run/call-generation.ts";
import { sessionPolicy } from "../../src/presets/index.ts";
import type { RetryStrategy } from "../../src/turn/index.ts";
import { emits, says } from "../support/scripted-provider.ts";
import { httpError, World } from "../support/world.ts";
import { TurnWorld } from "../turn/turns.ts";

const NO_DELAYS: readonly unknown[] = [Number.NaN, -1, Number.POSITIVE_INFINITY, "1000", {}, true, [5]];

describe("a retry strategy whose delay is no number", () => {
  for (const stop of [null, undefined]) {
    test(`K1: ${stop} from delayFor means stop`, async () => {
      const world = new TurnWorld(emits(503, "busy"), says("too late"));
      const retry: RetryStrategy = { ...world.strategy(), delayFor: () => stop as unknown as undefined };
      const result = await world.run({ retry });
      expect(result).toMatchObject({ status: "error", error: "busy" });
      expect(world.provider.requests).toHaveLength(1);
      expect(world.slept).toEqual([]);
      expect(world.time.faults).toEqual([]);
    });
  }

  for (const delay of NO_DELAYS) {
    test(`E19: ${JSON.stringify(delay) ?? delay} of type ${typeof delay} from delayFor is reported and ends the step`, async () => {
      const world = new TurnWorld(emits(503, "busy"), says("too late"));
      const result = await world.run({ retry: { ...world.strategy(), delayFor: () => delay as number } });
      expect(result).toMatchObject({ status: "error", error: "busy" });
      expect(world.provider.requests).toHaveLength(1);
      expect(world.time.faults).toMatchObject([
        {
          where: "engine",
          fault: {
            name: "InvalidInput",
            message: expect.stringMatching(
              /^the result of retry\.delayFor must be a number of milliseconds from 0 to 2147483647, or undefined or null to stop; got /,
            ),
          },
        },
      ]);
    });
  }

  test("E19: a sleep that returns no promise is reported and ends the step, instead of a loop without delays", async () => {
    const world = new TurnWorld(emits(503, "busy"), emits(503, "busy"), says("too late"));
    const sleep = (() => undefined) as unknown as RetryStrategy["sleep"];
    const result = await world.run({ retry: { ...world.strategy(1000, 1000), sleep } });
    expect(result).toMatchObject({ status: "error", error: "busy" });
    expect(world.provider.requests).toHaveLength(1);
    expect(world.time.faults).toMatchObject([
      { where: "sleep", fault: { message: "the result of retry.sleep must be a promise; got undefined" } },
    ]);
  });
});

describe("a schedule of the caller's own", () => {
  const attempts = async (delay: unknown): Promise<{ calls: number; world: World; reason: unknown }> => {
    const world = new World();
    const prepared = preparePolicy(sessionPolicy());
    const own = { ...(prepared.schedules[0] as Schedule), delayFor: () => delay as number };
    let calls = 0;
    const reason = await new Promise<unknown>((resolve) => {
      new CallGeneration(
        {
          ...{ policy: { ...prepared, schedules: [own] }, ports: world.ports, chain: SINGLE_TARGET, health: undefined },
          ...{ listener: undefined, isTimed: true, cancelGraceMs: 0, textOf: () => "" },
          present: (generation) => generation.reason,
        },
        () => {
          if (++calls > 3) return "stop";
          throw httpError(503);
        },
        resolve,
        undefined,
        "",
      ).start();
    });
    return { calls, world, reason };
  };

  test("E8: null means stop, like undefined", async () => {
    for (const stop of [null, undefined]) {
      const { calls, world, reason } = await attempts(stop);
      expect({ calls, reason, faults: world.time.faults }).toEqual({
        calls: 1,
        reason: "retries-exhausted",
        faults: [],
      });
    }
  });

  test("E19: what is no delay ends the generation and is reported", async () => {
    for (const delay of NO_DELAYS) {
      const { calls, world, reason } = await attempts(delay);
      expect({ calls, reason }).toEqual({ calls: 1, reason: "engine-fault" });
      expect(world.time.faults).toMatchObject([
        { fault: { message: expect.stringContaining("the result of delayFor") } },
      ]);
    }
  });
});
