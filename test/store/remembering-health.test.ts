import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoryStore, openStore, RememberingHealth, type Store, timeLeftMs } from "../../src/store/index.ts";
import { target } from "../kernel/health/fixtures.ts";
import { healthContract } from "../kernel/health/health-contract.ts";
import { newFiles } from "./folders.ts";

const newFile = newFiles();
const MONDAY = 1_790_000_000_000;
const DAY = 86_400_000;

/** A process: its monotonic clock begins where it likes, the wall clock goes on. */
function newProcess(startMs: number, wallMs: number) {
  const faults: unknown[] = [];
  const clock = { passedMs: 0 };
  const ports = {
    now: () => startMs + clock.passedMs,
    wallNow: () => wallMs + clock.passedMs,
    reportFault: (fault: unknown) => void faults.push(fault),
  };
  return { ports, clock, faults };
}

const { cooldowns } = memoryStore();
const unused = { ...cooldowns, list: async () => [], set: async () => undefined };
const fresh = await Promise.all(
  Array.from({ length: 60 }, () => RememberingHealth.load(unused, newProcess(0, MONDAY).ports)),
);
healthContract("remembering", () => fresh.pop() ?? expect.fail("more tests than instances: make more"));

describe("cooldowns after a restart", () => {
  test("E17: a credential and a model cool down for the remaining time, on the new process's clock", async () => {
    const path = newFile();
    const store = await openStore({ path });
    const first = newProcess(5_000_000, MONDAY);
    const health = await RememberingHealth.load(store.cooldowns, first.ports);
    first.clock.passedMs = 1000;
    health.coolDown(target("a", "m", "k"), "credential", 5_000_000 + 61_000);
    health.coolDown(target("b", "m", "k"), "model", 5_000_000 + 31_000);
    expect(health.blockedForMs(target("a", "m", "k"), null, first.ports.now())).toBe(60_000);
    await store.close();

    const again = await openStore({ path });
    const second = newProcess(7, MONDAY + 21_000);
    const restored = await RememberingHealth.load(again.cooldowns, second.ports);
    expect(restored.isQuiet).toBe(false);
    expect(restored.blockedForMs(target("a", "m", "k"), null, 7)).toBe(40_000);
    expect(restored.blockedForMs(target("a", "m", "other"), null, 7)).toBe(0);
    expect(restored.blockedForMs(target("b", "m", "other"), null, 7)).toBe(10_000);
    await again.close();
  });

  test("E17: a cooldown that has ended by then blocks nothing", async () => {
    const store = memoryStore();
    const first = newProcess(0, MONDAY);
    (await RememberingHealth.load(store.cooldowns, first.ports)).coolDown(target(), "model", 1000);
    const health = await RememberingHealth.load(store.cooldowns, newProcess(0, MONDAY + 1000).ports);
    expect(health.isQuiet).toBe(true);
  });

  test("E17: of two reports the later deadline is remembered", async () => {
    const store = memoryStore();
    const first = newProcess(0, MONDAY);
    const health = await RememberingHealth.load(store.cooldowns, first.ports);
    health.coolDown(target(), "credential", 9000);
    health.coolDown(target(), "credential", 4000);
    const restored = await RememberingHealth.load(store.cooldowns, newProcess(100, MONDAY).ports);
    expect(restored.blockedForMs(target(), null, 100)).toBe(9000);
  });

  test("E17: a rejection is not stored: the next call finds out whether it still holds", async () => {
    const store = memoryStore();
    const { ports } = newProcess(0, MONDAY);
    const health = await RememberingHealth.load(store.cooldowns, ports);
    health.refuse(target(), "model", 300_000, "not_found");
    health.refuse(target(), "credential", 300_000, "auth");
    expect(health.refusalOf(target(), 0)).toBe("auth");
    expect(await store.cooldowns.list(MONDAY)).toEqual([]);
    expect((await RememberingHealth.load(store.cooldowns, ports)).isQuiet).toBe(true);
  });

  test("E17: a used-up quota without a known end is stored as one: the next process skips it and does not wait", async () => {
    for (const scope of ["credential", "model"] as const) {
      const store = memoryStore();
      const health = await RememberingHealth.load(store.cooldowns, newProcess(0, MONDAY).ports);
      health.refuse(target(), scope, 300_000, "usage_limit");
      const restored = await RememberingHealth.load(store.cooldowns, newProcess(100, MONDAY + 1000).ports);
      expect(restored.blockedForMs(target(), null, 100)).toBe(299_000);
      expect(restored.refusalOf(target(), 100)).toBe("usage_limit");
    }
  });

  describe("E17: the key behind a name", () => {
    const KEY = target("a", "m", "a#env1");
    const OTHER = target("a", "m", "a#env2");
    /** A process that has these keys, by their names. */
    const restart = (store: Store, keys: Readonly<Record<string, string>>, faults: unknown[] = []) => {
      const ports = { ...newProcess(0, MONDAY).ports, reportFault: (fault: unknown) => void faults.push(fault) };
      return RememberingHealth.load(store.cooldowns, ports, (salt) => ({ credential }) => {
        const key = keys[credential];
        return key === undefined ? undefined : `${key} with ${salt}`;
      });
    };
    const left = (health: RememberingHealth, of = KEY): number => health.blockedForMs(of, null, 0);

    test("E17: another key under the same name does not inherit the cooldown, and the store deletes it", async () => {
      const store = memoryStore();
      (await restart(store, { "a#env1": "old" })).coolDown(KEY, "credential", 60_000);
      expect(left(await restart(store, { "a#env1": "old" }))).toBe(60_000);
      const health = await restart(store, { "a#env1": "new" });
      expect(left(health)).toBe(0);
      expect(health.isQuiet).toBe(true);
      expect(await store.cooldowns.list(MONDAY)).toEqual([]);
    });

    test("E17: the other key has a separate cooldown, even while a process with the old key runs", async () => {
      const store = memoryStore();
      const old = await restart(store, { "a#env1": "old" });
      (await restart(store, { "a#env1": "new" })).coolDown(KEY, "credential", 1000);
      old.coolDown(KEY, "credential", 60_000);
      expect(left(await restart(store, { "a#env1": "new" }))).toBe(1000);
    });

    test("E17: a cooldown without a known fingerprint stays: a key that this process lacks, a store without fingerprints", async () => {
      const store = memoryStore();
      const first = await restart(store, { "a#env1": "one", "a#env2": "two" });
      first.coolDown(KEY, "credential", 60_000);
      first.coolDown(OTHER, "credential", 50_000);
      expect(left(await restart(store, { "a#env1": "one" }), OTHER)).toBe(50_000);
      const plain = await RememberingHealth.load(store.cooldowns, newProcess(0, MONDAY).ports);
      expect([left(plain), left(plain, OTHER)]).toEqual([60_000, 50_000]);
    });

    test("E17: a cooldown without a fingerprint does not block a key that has one", async () => {
      const store = memoryStore();
      await store.cooldowns.set(JSON.stringify(["credential", "a", "m", "a#env1"]), MONDAY + 60_000, MONDAY);
      expect(left(await restart(store, { "a#env1": "one" }))).toBe(0);
    });

    test("E19: failing fingerprints are reported, and the cooldown still holds", async () => {
      const store = memoryStore();
      const { ports, faults } = newProcess(0, MONDAY);
      const health = await RememberingHealth.load(store.cooldowns, ports, () => () => {
        throw new Error("no hash here");
      });
      health.coolDown(KEY, "credential", 1000);
      expect(left(health)).toBe(1000);
      await Promise.resolve();
      expect(faults).toMatchObject([{ message: "no hash here" }]);
    });
  });

  test("E17: keys that are not ours are left alone", async () => {
    const store = memoryStore();
    for (const key of ["nonsense", "[1]", '["provider","a"]', '["model","a"]', "{}"]) {
      await store.cooldowns.set(key, MONDAY + 1000);
    }
    const { ports, faults } = newProcess(0, MONDAY);
    const health = await RememberingHealth.load(store.cooldowns, ports);
    expect(health.isQuiet).toBe(true);
    expect(faults).toEqual([]);
    expect(await store.cooldowns.list(MONDAY)).toHaveLength(5);
  });

  test("E17: with the clock set back, a cooldown lasts no longer than when it was reported", async () => {
    const store = memoryStore();
    const first = newProcess(0, MONDAY + 10 * DAY);
    (await RememberingHealth.load(store.cooldowns, first.ports)).coolDown(target(), "credential", 60_000);
    const second = newProcess(5, MONDAY);
    const health = await RememberingHealth.load(store.cooldowns, second.ports);
    expect(health.blockedForMs(target(), null, 5)).toBe(60_000);
    // The store has the right clock's deadline now: the next process does not begin anew.
    const third = await RememberingHealth.load(store.cooldowns, newProcess(5, MONDAY + 45_000).ports);
    expect(third.blockedForMs(target(), null, 5)).toBe(15_000);
    second.clock.passedMs = 45_000;
    health.coolDown(target(), "credential", 5 + 45_000 + 30_000);
    const last = await RememberingHealth.load(store.cooldowns, newProcess(0, MONDAY + 50_000).ports);
    expect(last.blockedForMs(target(), null, 0)).toBe(25_000);
  });

  test("E17: a deadline beyond anything a provider asks for is dropped, in the store too", async () => {
    const store = memoryStore();
    const key = JSON.stringify(["model", "a", "m"]);
    for (const [until, since] of [
      [Date.UTC(9999, 0), undefined],
      [Date.UTC(9999, 0), MONDAY - 1000],
      [Date.UTC(9999, 0), Date.UTC(9998, 0)],
      [MONDAY + 31 * DAY + 1, undefined],
    ] as const) {
      await store.cooldowns.set(key, until, since);
      const { ports, faults } = newProcess(0, MONDAY);
      expect((await RememberingHealth.load(store.cooldowns, ports)).isQuiet).toBe(true);
      expect(await store.cooldowns.list(MONDAY)).toEqual([]);
      expect(faults).toEqual([]);
    }
    await store.cooldowns.set(key, MONDAY + 31 * DAY);
    const health = await RememberingHealth.load(store.cooldowns, newProcess(0, MONDAY).ports);
    expect(health.blockedForMs(target("a", "m", "k"), null, 0)).toBe(31 * DAY);
  });

  test("E17: the remaining time never exceeds the deadline or the original wait, and is never negative", () => {
    const moment = fc.integer({ min: 0, max: 1e14 });
    fc.assert(
      fc.property(moment, fc.option(moment, { nil: undefined }), moment, (until, since, nowMs) => {
        const leftMs = timeLeftMs({ until, ...(since !== undefined && { since }) }, nowMs);
        expect(leftMs).toBeGreaterThanOrEqual(0);
        expect(leftMs).toBeLessThanOrEqual(Math.max(0, until - nowMs));
        expect(leftMs).toBeLessThanOrEqual(Math.max(0, until - (since ?? 0)));
        expect(leftMs).toBeLessThanOrEqual(31 * DAY);
      }),
    );
  });

  test("E19: a failing store is reported, and the cooldown still holds", async () => {
    const store = memoryStore();
    await store.close();
    const { ports, faults } = newProcess(0, MONDAY);
    const health = await RememberingHealth.load(store.cooldowns, ports);
    health.coolDown(target(), "credential", 1000);
    expect(health.blockedForMs(target(), null, 0)).toBe(1000);
    await Promise.resolve();
    await Promise.resolve();
    expect(faults).toMatchObject([{ code: "closed" }, { code: "closed" }]);
  });
});

describe("cooldowns that are ended by hand", () => {
  test("E17: a cooldown that is ended by hand does not come back with the next process", async () => {
    const { cooldowns } = memoryStore();
    const first = newProcess(5000, MONDAY);
    const health = await RememberingHealth.load(cooldowns, first.ports, () => () => "12345678");
    health.coolDown(target("a", "m", "k"), "credential", 65_000);
    health.refuse(target("a", "m", "k"), "credential", 95_000, "usage_limit");
    health.coolDown(target("a", "m", "other"), "credential", 65_000);
    health.coolDown(target("a", "m", "k"), "model", 65_000);
    expect(await health.endCooldown(target("a", "m", "k"), "credential")).toBe(true);
    expect(await health.endCooldown(target("a", "m", "k"), "credential")).toBe(false);

    const next = await RememberingHealth.load(cooldowns, newProcess(0, MONDAY).ports, () => () => "12345678");
    expect(next.snapshot(0).cooldowns).toMatchObject([
      { target: target("a", "m", "other"), scope: "credential" },
      { target: target("a", "m", ""), scope: "model" },
    ]);
    await next.endCooldown(target("a", "m", ""), "model");
    expect(await cooldowns.list(MONDAY)).toHaveLength(1);
  });
});
