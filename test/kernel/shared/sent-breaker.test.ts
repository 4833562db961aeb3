import { describe, expect, test } from "vitest";
import {
  type BreakerState,
  breakerAfterFailure,
  breakerAfterSuccess,
  CLOSED,
} from "../../../src/kernel/health/breaker.ts";
import { NO_TRAFFIC } from "../../../src/kernel/health/traffic.ts";
import { readBreaker, writeBreaker } from "../../../src/kernel/shared/sent-breaker.ts";

const SPEC = { failures: 1, leastShare: 1, cooldownMs: 1000, maxCooldownMs: 60_000, rampMs: 30_000 };
const usual = { ...NO_TRAFFIC, perSecond: 10, underWay: 3, latest: 9, forMs: 5000 };
const open = breakerAfterFailure(breakerAfterFailure(CLOSED, SPEC, usual, 100), SPEC, usual, 5000);
const STATES: readonly BreakerState[] = [
  CLOSED,
  open,
  { ...(open as Extract<BreakerState, { phase: "open" }>), phase: "half-open", probeAtMs: 7000 } as BreakerState,
  breakerAfterSuccess(open, 8000),
  // Where nothing is known of the usual traffic, some of its moments and its room are infinite.
  breakerAfterSuccess(breakerAfterFailure(CLOSED, SPEC, NO_TRAFFIC, 100), 8000),
];

describe("B5: the state of a breaker on its way to another process", () => {
  test.each(STATES.map((state) => [state.phase, state] as const))(
    "B5: %s arrives as it was, on the other's clock",
    (_phase, state) => {
      const sent = writeBreaker(state, 1_000_000);
      const there = readBreaker(sent, -1_000_000 + 500);
      const again = readBreaker(writeBreaker(there as BreakerState, -500), 0);
      expect(again?.phase).toBe(state.phase);
      expect(JSON.parse(writeBreaker(state, 0))).toMatchObject(JSON.parse(writeBreaker(again as BreakerState, 0)));
    },
  );

  test("B5: the way back of a process that does not send what it expects is read, with its calls under way instead", () => {
    const { after, phase, ramp } = JSON.parse(writeBreaker(STATES[3] as BreakerState, 0));
    const { expected: _, ...older } = { ...ramp, underWay: 7 };
    expect(readBreaker(JSON.stringify({ after, phase, ramp: older }), 0)).toMatchObject({
      ramp: { expected: 7, underWay: 7 },
    });
  });

  test.each(["", "{", "[]", "null", '{"phase":"ajar"}', '{"phase":"open"}', '{"phase":"recovering","ramp":{}}'])(
    "B5: %s is no state",
    (text) => {
      expect(readBreaker(text, 0)).toBeUndefined();
    },
  );
});
