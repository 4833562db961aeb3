import { describe, expect, test } from "vitest";
import { resilient } from "../../src/index.ts";
import { classify } from "../../src/kernel/classify/classify.ts";
import { chainOf } from "../../src/kernel/decide/chain.ts";
import { schedule } from "../../src/kernel/index.ts";
import type { Failure } from "../../src/kernel/model/failure.ts";
import { backgroundPolicy, consolePolicy } from "../../src/presets/index.ts";
import { createRandom, VirtualWorld } from "../../src/simulator/world/index.ts";
import { drive } from "../kernel/decide/drive.ts";
import { httpError } from "../support/world.ts";

const http = (status: number, headers: Record<string, string> = {}): Failure =>
  classify({ status, message: `HTTP ${status}`, headers }, { wallNowMs: 0 });
const failing = (failed: Failure, facts: object = {}) =>
  drive({ policy: backgroundPolicy(), attempt: () => failed, ...facts });

describe("background", () => {
  test("C6: waits 2, 4, 8 … seconds up to two minutes, for half an hour in all, and not as the console does", () => {
    const { general } = backgroundPolicy().schedules;
    const { jitter: _jitter, ...plain } = general as typeof general & { jitter?: unknown };
    const { delayFor } = schedule(plain as typeof general & object);
    const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((retry) => delayFor(retry));
    expect(waits).toEqual([2000, 4000, 8000, 16_000, 32_000, 64_000, 120_000, 120_000, 120_000]);
    const waited = failing(http(503), { random: () => 0.5 }).waits.reduce((sum, delayMs) => sum + delayMs, 0);
    expect(waited).toBeGreaterThan(1_680_000);
    expect(waited).toBeLessThanOrEqual(1_800_000);
    expect(general).toMatchObject({ type: "exponential", jitter: "full" });
    expect(consolePolicy().schedules.general).toMatchObject({ type: "fibonacci" });
  });

  test.each([429, 500, 502, 503, 504, 529])("C6: HTTP %i is retried", (status) => {
    expect(failing(http(status)).attempts.length).toBeGreaterThan(2);
  });

  test.each([400, 401, 403, 404, 422])("C6: HTTP %i is not retried", (status) => {
    expect(failing(http(status))).toMatchObject({ attempts: { length: 1 } });
  });

  test("C6: a hint is honoured up to ten minutes, a longer one fails at once", () => {
    expect(failing(http(429, { "retry-after": "600" })).attempts.length).toBeGreaterThan(1);
    expect(failing(http(429, { "retry-after": "601" }))).toMatchObject({ attempts: { length: 1 } });
  });

  test("C6: another key is taken at once for a used-up quota", () => {
    const chain = chainOf([{ provider: "p", model: "m", credentials: ["1", "2"] }]);
    const quota = classify({ status: 429, code: "insufficient_quota" });
    expect(failing(quota, { chain }).decisions[0]).toMatchObject({ type: "rotate", to: 1 });
  });

  test.each([
    [1, 60_000],
    [4, 60_000],
    [16, 60_000],
    [1, 1_200_000],
    [4, 1_200_000],
    [16, 1_200_000],
  ])(
    "C6: an index that is embedded by %i at a time survives an outage of %i ms, with few calls in it",
    async (workers, outageMs) => {
      const world = new VirtualWorld();
      const random = createRandom(workers);
      const isDown = () => world.nowMs >= 60_000 && world.nowMs < 60_000 + outageMs;
      let callsInOutage = 0;
      const embed = resilient(
        async () => {
          if (isDown()) callsInOutage++;
          await world.pause(200 + 400 * random());
          if (isDown()) throw httpError(503, "Overloaded");
        },
        backgroundPolicy(),
        { ports: { ...world.ports, random } },
      );
      let left = workers * 300;
      const work = async (): Promise<void> => {
        while (left-- > 0) await embed();
      };
      await world.until(Promise.all(Array.from({ length: workers }, work)));
      // About two minutes of work. After the outage, the longest wait of the schedule may be left.
      expect(world.nowMs).toBeLessThan(outageMs + 140_000 + 120_000);
      // One at a time once the breaker is open: every 30 s, or as often as a single one retries.
      expect(callsInOutage).toBeLessThanOrEqual(workers + 10 + outageMs / 20_000);
    },
  );
});
