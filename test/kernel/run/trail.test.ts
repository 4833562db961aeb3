import { describe, expect, test } from "vitest";
import type { Failure } from "../../../src/kernel/model/failure.ts";
import { Trail } from "../../../src/kernel/run/trail.ts";
import { failure } from "../decide/situations.ts";

const A = { provider: "a", model: "x", credential: "" };
const B = { provider: "b", model: "y", credential: "" };

function server(message = "boom", facts: Partial<Failure> = {}): Failure {
  return failure("server", { status: 500, message, target: A, ...facts });
}

describe("the trail", () => {
  test("E20: is empty at first", () => {
    const trail = new Trail(1);
    expect(trail.triesHere).toBe(1);
    expect(trail.used()).toEqual([0]);
    expect(trail.drawnMs()).toEqual([0]);
    expect(trail.history()).toEqual([]);
    expect([trail.leftSinceWait, trail.spent, trail.warnings]).toEqual([[], [], []]);
  });

  test("T3: counts retries and delays of each schedule apart", () => {
    const trail = new Trail(1);
    trail.useUp(0, 10);
    trail.useUp(2, 30);
    trail.useUp(1, 20);
    trail.useUp(0, 11);
    trail.useUp(2, 31);
    expect(trail.used()).toEqual([2, 1, 2]);
    expect(trail.drawnMs()).toEqual([21, 20, 61]);
    expect(trail.previousMs).toBe(31);
  });

  test.each<[string, Failure, Failure, number]>([
    ["the same 500 twice", server(), server(), 2],
    ["another text", server(), server("bang"), 1],
    ["an empty text", server(""), server(""), 1],
    ["a gateway's 502", server("boom", { status: 502 }), server("boom", { status: 502 }), 1],
    ["a 500 after a 503", server("boom", { status: 503 }), server(), 1],
    ["a 503 after a 500", server(), server("boom", { status: 503 }), 1],
    ["another kind behind a 500", server(), { ...server(), kind: "overloaded" }, 1],
  ])("B2: counts the same error in a row: %s", (_, first, second, run) => {
    const trail = new Trail(1);
    trail.noteFailure(first, 1);
    expect(trail.sameErrorRun).toBe(1);
    trail.noteFailure(second, 2);
    expect(trail.sameErrorRun).toBe(run);
  });

  test("B2: a move to another target starts the count of same errors anew", () => {
    const trail = new Trail(1);
    trail.noteFailure(server(), 1);
    trail.noteFailure(server(), 2);
    trail.noteMove(0);
    trail.noteFailure(server("boom", { target: B }), 3);
    expect(trail.sameErrorRun).toBe(1);
  });

  test("E17: a wait clears the targets left since the last one", () => {
    const trail = new Trail(1);
    trail.noteMove(0);
    trail.noteMove(2);
    expect(trail.leftSinceWait).toEqual([0, 2]);
    trail.noteWait(40);
    trail.noteWait(2);
    expect(trail.leftSinceWait).toEqual([]);
    expect(trail.waitedMs).toBe(42);
  });

  test("T7: leaving an entry spends all its targets and starts the counts anew", () => {
    const trail = new Trail(3);
    trail.useUp(0, 10);
    trail.useUp(1, 20);
    trail.leaveEntry([0, 0, 1, 2], 1);
    expect(trail.spent).toEqual([0, 1]);
    expect([trail.used(), trail.drawnMs(), trail.previousMs, trail.triesHere]).toEqual([[0], [0], 0, 0]);
    trail.leaveEntry([0, 0, 1, 2], 2);
    expect(trail.spent).toEqual([0, 1, 2]);
  });

  test("E17: refused targets are added to those spent before", () => {
    const trail = new Trail(1);
    trail.spend([2]);
    trail.leaveEntry([0, 0, 1, 2], 0);
    trail.spend([3]);
    expect(trail.spent).toEqual([2, 0, 1, 3]);
  });

  test("B4: lists its failed attempts with the waits after them, the oldest first", () => {
    const trail = new Trail(1);
    trail.noteFailure(server(), 1);
    trail.noteWait(5);
    trail.noteWait(7);
    trail.noteFailure(failure("network", { target: B }), 2);
    expect(trail.history()).toStrictEqual([
      { attempt: 1, target: A, kind: "server", status: 500, waitedMs: 12 },
      { attempt: 2, target: B, kind: "network" },
    ]);
  });

  test("E20: remembers only the last fifty attempts", () => {
    const trail = new Trail(1);
    for (let attempt = 1; attempt <= 50; attempt++) trail.noteFailure(server(), attempt);
    expect(trail.history()).toHaveLength(50);
    expect(trail.history()[0]?.attempt).toBe(1);
    for (let attempt = 51; attempt <= 500; attempt++) trail.noteFailure(server(), attempt);
    expect(trail.history()).toHaveLength(50);
    expect(trail.history()[0]?.attempt).toBe(451);
    expect(trail.history().at(-1)?.attempt).toBe(500);
  });

  test("B4: a failure without an attempt does not count as one", () => {
    const trail = new Trail(0);
    trail.failure = server();
    expect(trail.history()).toEqual([]);
    trail.noteFailure(failure("server"), 1);
    expect(trail.history()).toEqual([]);
  });

  test("B4: keeps its warnings in order", () => {
    const trail = new Trail(1);
    trail.warn("odd");
    trail.warn("odder");
    expect(trail.warnings).toEqual(["odd", "odder"]);
  });
});
