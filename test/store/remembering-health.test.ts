import { describe, expect, test } from "vitest";
import { memoryStore, openStore, RememberingHealth } from "../../src/store/index.ts";
import { target } from "../kernel/health/fixtures.ts";
import { healthContract } from "../kernel/health/health-contract.ts";
import { newFiles } from "./folders.ts";

const newFile = newFiles();
const MONDAY = 1_790_000_000_000;

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
  test("E17: a credential and a model cool on for what is left, on the new process's clock", async () => {
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

  test("E17: one that is over by then holds nobody back", async () => {
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

  test("E19: a store that fails is reported, and the cooldown holds all the same", async () => {
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
