import { describe, expect, test, vi } from "vitest";
import { GuardedHealth } from "../../../src/kernel/health/guarded-health.ts";
import type { Health, Limit } from "../../../src/kernel/health/health.ts";
import { FAILURE_KINDS } from "../../../src/kernel/model/failure.ts";
import { failureOf, policyOf, reportingPorts, target, under } from "./fixtures.ts";

const policy = policyOf({});
const TOLD: readonly (keyof Health)[] = ["started", "succeeded", "failed", "released", "coolDown", "countAnswer"];
const clock = { roughNow: () => 5 };

function tellAll(health: Health): void {
  health.started?.(target());
  health.succeeded(under(policy, 7), 1);
  health.failed(under(policy, 8), failureOf("server"), 2);
  health.released(under(policy, 9), 3);
  health.coolDown(target(), "model", 4);
  health.countAnswer?.(target(), clock);
}

function answering(answers: Partial<Record<keyof Health, unknown>>): Health {
  return {
    blockedForMs: () => answers.blockedForMs,
    admit: () => answers.admit,
    isCrowded: () => answers.isCrowded,
    isRare: () => answers.isRare,
    isQuiet: answers.isQuiet,
  } as unknown as Health;
}

describe("E19: a foreign health store", () => {
  test("E19: when it breaks, everything is let through and every fault is reported", () => {
    const fault = new Error("redis is gone");
    const broken = new Proxy({} as Health, {
      get: () => {
        throw fault;
      },
    });
    const { ports, faults } = reportingPorts();
    const health = new GuardedHealth(broken, ports);
    expect(health.blockedForMs(target(), null, 0)).toBe(0);
    expect(health.admit(target(), policy, 0, false)).toBe(0);
    expect(health.isCrowded(target(), 0)).toBe(false);
    expect(health.isRare(target(), failureOf("server"))).toBe(false);
    expect(health.isQuiet).toBe(true);
    tellAll(health);
    expect(faults).toEqual(Array.from({ length: 11 }, () => ({ fault, where: "health" })));
  });

  test.each<[unknown, string]>([
    [Number.NaN, "NaN"],
    [-1, "-1"],
    [Number.POSITIVE_INFINITY, "Infinity"],
    ["5", '"5"'],
    [undefined, "undefined"],
    [Promise.resolve(5), "an object"],
  ])("E19: a block of %s is no block, and is reported", (answer, shown) => {
    const { ports, faults } = reportingPorts();
    const health = new GuardedHealth(answering({ blockedForMs: answer, admit: answer }), ports);
    expect(health.blockedForMs(target(), null, 0)).toBe(0);
    expect(health.admit(target(), policy, 0, false)).toBe(0);
    expect(faults).toEqual(
      ["blockedForMs", "admit"].map((method) => ({
        fault: expect.objectContaining({ message: `health.${method} must be a number of at least 0; got ${shown}` }),
        where: "health",
      })),
    );
  });

  test("E19: a nonsensical yes or no counts as all well, and is reported", () => {
    const { ports, faults } = reportingPorts();
    const health = new GuardedHealth(answering({ isCrowded: 1, isRare: "yes", isQuiet: undefined }), ports);
    expect(health.isCrowded(target(), 0)).toBe(false);
    expect(health.isRare(target(), failureOf("server"))).toBe(false);
    expect(health.isQuiet).toBe(true);
    expect(faults.map(({ fault }) => (fault as Error).message)).toEqual([
      "health.isCrowded must be true or false; got 1",
      'health.isRare must be true or false; got "yes"',
      "health.isQuiet must be true or false; got undefined",
    ]);
  });

  test("E19: sane answers pass unchanged and nothing is reported", () => {
    const { ports, faults } = reportingPorts();
    const health = new GuardedHealth(
      answering({ blockedForMs: 5.5, admit: 6.5, isCrowded: true, isRare: true, isQuiet: false }),
      ports,
    );
    expect(health.blockedForMs(target(), null, 0)).toBe(5.5);
    expect(health.admit(target(), policy, 0, false)).toBe(6.5);
    expect(health.isCrowded(target(), 0)).toBe(true);
    expect(health.isRare(target(), failureOf("server"))).toBe(true);
    expect(health.isQuiet).toBe(false);
    expect(faults).toEqual([]);
  });

  test("E19: a store that counts no calls and knows nothing of crowds or shares has nothing to report", () => {
    const { ports, faults } = reportingPorts();
    const health = new GuardedHealth({ blockedForMs: () => 0 } as unknown as Health, ports);
    health.started(target());
    health.countAnswer(target(), clock);
    expect(health.isCrowded(target(), 0)).toBe(false);
    expect(health.isRare(target(), failureOf("server"))).toBe(false);
    expect(faults).toEqual([]);
  });

  test("E19, E17: a store that knows nothing of refusals skips them like any other target, but not for a guess", () => {
    const { ports, faults } = reportingPorts();
    const coolDown = vi.fn();
    const health = new GuardedHealth({ ...answering({}), coolDown }, ports);
    health.refuse(target(), "model", 4, "not_found");
    // Until then every generation would wait for what is only a guess.
    health.refuse(target(), "credential", 5, "usage_limit");
    expect(coolDown.mock.calls).toEqual([[target(), "model", 4]]);
    expect(health.refusalOf(target(), 0)).toBeUndefined();
    expect(faults).toEqual([]);
  });

  test("E19: one that supports refusals receives and reports them, and its invalid answers count as no refusal", () => {
    const { ports, faults } = reportingPorts();
    const refuse = vi.fn();
    const health = new GuardedHealth({ ...answering({}), refuse, refusalOf: () => "auth" }, ports);
    health.refuse(target(), "model", 4, "auth");
    expect(refuse.mock.calls).toEqual([[target(), "model", 4, "auth"]]);
    expect(health.refusalOf(target(), 0)).toBe("auth");
    expect(faults).toEqual([]);
    const odd = new GuardedHealth({ ...answering({}), refusalOf: () => 1 as unknown as "auth" }, ports);
    expect(odd.refusalOf(target(), 0)).toBeUndefined();
    expect(faults).toMatchObject([
      { fault: { message: `health.refusalOf must be one of ${FAILURE_KINDS.join(", ")}; got 1` } },
    ]);
  });

  test("E19: one that knows limits reports them, and an invalid limit counts as none", () => {
    const { ports, faults } = reportingPorts();
    const asked = (limit: unknown) =>
      new GuardedHealth({ ...answering({}), limitOf: () => limit as Limit }, ports).limitOf(target(), null, 0);
    expect(new GuardedHealth(answering({}), ports).limitOf(target(), null, 0)).toBeUndefined();
    expect(asked(undefined)).toBeUndefined();
    expect(asked({ leftMs: 5, answeredMs: undefined })).toEqual({ leftMs: 5, answeredMs: undefined });
    expect(asked({ leftMs: 0, answeredMs: 7 })).toEqual({ leftMs: 0, answeredMs: 7 });
    expect(faults).toEqual([]);
    for (const odd of [5, { leftMs: -1 }, { leftMs: 1, answeredMs: "2" }]) expect(asked(odd)).toBeUndefined();
    expect(faults.map(({ fault }) => (fault as Error).message)).toEqual([
      "health.limitOf must be an object; got 5",
      "health.limitOf.leftMs must be a number of at least 0; got -1",
      'health.limitOf.answeredMs must be a number of at least 0; got "2"',
    ]);
  });

  test("E19: a store that rejects asynchronously is reported, without an unhandled rejection", async () => {
    const fault = new Error("too late");
    const late = Object.fromEntries(TOLD.map((name) => [name, () => Promise.reject(fault)])) as unknown as Health;
    const { ports, faults } = reportingPorts();
    tellAll(new GuardedHealth(late, ports));
    await Promise.resolve();
    await Promise.resolve();
    expect(faults).toEqual(TOLD.map(() => ({ fault, where: "health" })));
  });

  test("E19: forwards its arguments unchanged", () => {
    const told = Object.fromEntries(TOLD.map((name) => [name, vi.fn()]));
    tellAll(new GuardedHealth(told as unknown as Health, reportingPorts().ports));
    expect(Object.fromEntries(Object.entries(told).map(([name, spy]) => [name, spy.mock.calls]))).toEqual({
      started: [[target()]],
      succeeded: [[under(policy, 7), 1]],
      failed: [[under(policy, 8), failureOf("server"), 2]],
      released: [[under(policy, 9), 3]],
      coolDown: [[target(), "model", 4]],
      countAnswer: [[target(), clock]],
    });
  });

  test("E19: asks with exactly what it was asked", () => {
    const inner = {
      blockedForMs: vi.fn(() => 1),
      admit: vi.fn(() => 1),
      isCrowded: vi.fn(() => true),
      isRare: vi.fn(() => true),
    };
    const health = new GuardedHealth(inner as unknown as Health, reportingPorts().ports);
    const breaker = { failures: 1, leastShare: 1, cooldownMs: 1, maxCooldownMs: 1, rampMs: 1 };
    health.blockedForMs(target(), breaker, 7);
    health.admit(target(), policy, 8, false);
    health.admit(target(), policy, 9, true);
    health.isCrowded(target(), 10);
    health.isRare(target(), failureOf("rate_limit"));
    expect(inner.blockedForMs.mock.calls).toEqual([[target(), breaker, 7]]);
    expect(inner.admit.mock.calls).toEqual([
      [target(), policy, 8, false],
      [target(), policy, 9, true],
    ]);
    expect(inner.isCrowded.mock.calls).toEqual([[target(), 10]]);
    expect(inner.isRare.mock.calls).toEqual([[target(), failureOf("rate_limit")]]);
  });
});
