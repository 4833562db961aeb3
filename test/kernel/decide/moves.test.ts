import { describe, expect, test } from "vitest";
import { chainOf } from "../../../src/kernel/decide/chain.ts";
import { findFree, findOpening, isMoveOpen, moveTo, opensInMs } from "../../../src/kernel/decide/moves.ts";
import type { Target } from "../../../src/kernel/model/target.ts";
import { CHAIN, type Given, healthOf, situation } from "./situations.ts";

const at = (given: Given) => situation({ chain: CHAIN, ...given });

describe("what is free now", () => {
  test("E17: one target alone has nothing to go to", () => {
    expect(findFree(situation(), "credential")).toBeUndefined();
    expect(findOpening(situation(), "credential", 1e9)).toBeUndefined();
  });

  test.each<[number, "credential" | "model" | "provider" | "request", number]>([
    [0, "credential", 1],
    [1, "credential", 0],
    [0, "model", 2],
    [0, "provider", 2],
    [0, "request", 2],
    [1, "model", 2],
    [2, "credential", 3],
    [2, "model", 3],
    [3, "credential", 0],
    [3, "model", 0],
  ])("E17: from %i, when the %s failed, the next is %i", (position, scope, to) => {
    expect(findFree(at({ standing: { position } }), scope)).toBe(to);
  });

  test("E17: prefers later models to earlier ones, and earlier ones to none", () => {
    expect(findFree(at({ standing: { position: 2 }, blockedMs: { 3: 1 } }), "model")).toBe(0);
    expect(findFree(at({ standing: { position: 2 }, blockedMs: { 3: 1, 0: 1 } }), "model")).toBe(1);
    expect(findFree(at({ standing: { position: 2 }, blockedMs: { 3: 1, 0: 1, 1: 1 } }), "model")).toBeUndefined();
  });

  test("E17: with revert never, returns to an earlier credential but not to an earlier model", () => {
    const policy = { fallback: { revert: "never" } } as const;
    expect(findFree(at({ policy, standing: { position: 3 } }), "model")).toBeUndefined();
    expect(findFree(at({ policy, standing: { position: 2 } }), "model")).toBe(3);
    expect(findFree(at({ policy, standing: { position: 1 } }), "credential")).toBe(0);
    expect(findFree(at({ policy, standing: { position: 1 }, blockedMs: { 0: 5 } }), "credential")).toBe(2);
  });

  test("E17: does not go back to what it left since the last wait", () => {
    expect(findFree(at({ standing: { leftSinceWait: [1] } }), "credential")).toBe(2);
    expect(findFree(at({ standing: { leftSinceWait: [1, 2, 3] } }), "credential")).toBeUndefined();
    expect(findOpening(at({ standing: { leftSinceWait: [1, 2, 3] } }), "credential", 1e9)).toBeUndefined();
  });

  test("E17: leaves out what is spent", () => {
    expect(findFree(at({ standing: { spent: [1, 2] } }), "credential")).toBe(3);
  });

  test("B5: without room in the budget only another provider helps, because all targets of a provider share it", () => {
    expect(findOpening(at({}), "budget", 0)).toEqual({ to: 2, inMs: 0 });
    expect(findOpening(at({ blockedMs: { 2: 1 } }), "budget", 0)).toEqual({ to: 3, inMs: 0 });
    const chain = chainOf(["big", "small"].map((model) => ({ provider: "a", model, credentials: ["k1", "k2"] })));
    expect(findOpening(situation({ chain }), "budget", 1e9)).toBeUndefined();
  });
});

describe("what is free first", () => {
  test.each([
    [{ 1: 50, 2: 40, 3: 45 }, 100, { to: 2, inMs: 40 }],
    [{ 1: 40, 2: 40, 3: 40 }, 100, { to: 1, inMs: 40 }],
    [{ 1: 41, 2: 40, 3: 40 }, 100, { to: 2, inMs: 40 }],
    [{ 1: 100, 2: 101, 3: 101 }, 100, { to: 1, inMs: 100 }],
    [{ 1: 101, 2: 101, 3: 101 }, 100, undefined],
  ])("E17: of the cooldowns %j within %i ms it is %j", (blockedMs, withinMs, opening) => {
    expect(findOpening(at({ blockedMs }), "credential", withinMs)).toEqual(opening);
  });

  test("E17: an earlier credential of the same model wins against a later model at the same time", () => {
    const blockedMs = { 0: 40, 2: 40, 3: 40 };
    expect(findOpening(at({ blockedMs, standing: { position: 1 } }), "credential", 100)).toEqual({ to: 0, inMs: 40 });
  });

  test("E17: the first of several credentials of the same model wins", () => {
    const chain = chainOf([{ provider: "a", model: "m", credentials: ["1", "2", "3", "4"] }]);
    const blockedMs = { 0: 9, 1: 9, 3: 9 };
    expect(findOpening(situation({ chain, blockedMs, standing: { position: 2 } }), "credential", 9)).toEqual({
      to: 3,
      inMs: 9,
    });
  });

  test("E17: what was left may be waited for while it cools down", () => {
    const blockedMs = { 1: 30, 2: 60, 3: 60 };
    expect(findOpening(at({ blockedMs, standing: { leftSinceWait: [1, 2, 3] } }), "credential", 100)).toEqual({
      to: 1,
      inMs: 30,
    });
  });

  test("E17: what was refused is not waited for, and free again when its cooldown is over", () => {
    const refused = CHAIN.targets[1];
    const refusalOf = (target: Target) => (target === refused ? ("auth" as const) : undefined);
    const cooling = at({ health: { ...healthOf(CHAIN, { 1: 30, 2: 60, 3: 60 }), refusalOf } });
    expect(findOpening(cooling, "credential", 100)).toEqual({ to: 2, inMs: 60 });
    const over = at({ health: { ...healthOf(CHAIN, { 2: 60, 3: 60 }), refusalOf } });
    expect(findOpening(over, "credential", 100)).toEqual({ to: 1, inMs: 0 });
  });

  test("E17: returns when a target opens; a spent one never does", () => {
    expect(opensInMs(at({ blockedMs: { 2: 70 } }), 2)).toBe(70);
    expect(opensInMs(at({ standing: { spent: [2] } }), 2)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("how it moves", () => {
  test("E17: to another credential it rotates, to another model it switches", () => {
    expect(moveTo(at({}), 1, 4, "why")).toEqual({ type: "rotate", to: 1, schedule: 4, because: "why" });
    expect(moveTo(at({}), 2, 4, "why")).toEqual({ type: "switch", to: 2, schedule: 4, because: "why" });
  });

  test.each<[boolean, "immediate" | "long-wait" | "after-retries", number | undefined, boolean]>([
    [false, "immediate", undefined, true],
    [true, "immediate", 0, true],
    [true, "immediate", undefined, false],
    [true, "long-wait", undefined, false],
    [true, "after-retries", undefined, true],
  ])("S1: moves count %j, fallback %s, next delay %j: open is %j", (movesCount, when, delayMs, isOpen) => {
    expect(isMoveOpen(at({ policy: { fallback: { movesCount, when } } }), delayMs)).toBe(isOpen);
  });
});
