import { describe, expect, test } from "vitest";
import { MemoryHealth, type Target } from "../../../src/kernel/index.ts";
import { HealthExchange } from "../../../src/kernel/shared/exchange.ts";
import type { Message } from "../../../src/kernel/shared/message.ts";

const TARGET: Target = { provider: "p", model: "m", credential: "k" };
const SPECS = { breaker: null, budget: null };

/** A process with a clock of its own. */
function processOf(id: string) {
  const clock = { nowMs: 1000 };
  const health = new MemoryHealth();
  const exchange = new HealthExchange({ health, id, now: () => clock.nowMs, phase: 0.5, nameOf: (target) => target });
  const woken: number[] = [];
  const link = { wake: (withinMs: number) => void woken.push(withinMs) } as Parameters<HealthExchange["join"]>[0];
  return { clock, health, exchange, woken, link };
}

const message = (changes: Partial<Message>): Message => ({
  from: "other",
  facts: [],
  targets: [],
  specs: SPECS,
  ...changes,
});

describe("B5: one process among others", () => {
  test("B5: without a way to the others it tells nobody and hears nothing", () => {
    const { exchange, health, woken } = processOf("a");
    exchange.knownOf(TARGET).hasNews = true;
    exchange.wake(5);
    exchange.tellCooldown(TARGET, "model", 9000, undefined);
    exchange.tellCleared(TARGET, "model");
    exchange.hear(message({ facts: [{ key: '["model","p","m"]', epoch: 0, rank: 9000, untilMs: 9000, value: '""' }] }));
    exchange.leave();
    expect([exchange.announce(), woken, health.blockedForMs(TARGET, null, 1000)]).toEqual([undefined, [], 0]);
    expect([exchange.processes, exchange.laterMs]).toEqual([1, 0]);
  });

  test("B5: what it knew before goes out when it joins, on the shared clock", () => {
    const { exchange, health, link, woken, clock } = processOf("a");
    exchange.knownOf(TARGET);
    health.coolDown(TARGET, "model", 9000);
    health.coolDown({ ...TARGET, credential: "old" }, "credential", 500);
    exchange.join(link, 100_000, []);
    expect(woken).toContain(0);
    const said = exchange.announce();
    expect(said?.facts).toMatchObject([{ key: '["model","p","m"]', rank: 109_000 }]);
    // Nothing new: silence, and a sign of life after a while.
    clock.nowMs += 1;
    expect(exchange.announce()).toBeUndefined();
    clock.nowMs += 60_000;
    expect(exchange.announce()?.facts).toEqual([]);
  });

  test("B5: what was told on a connection that broke is told again on the next one, if the others do not have it", () => {
    const { exchange, health, link } = processOf("a");
    exchange.knownOf(TARGET);
    exchange.join(link, 0, []);
    health.coolDown(TARGET, "model", 9000);
    exchange.tellCooldown(TARGET, "model", 9000, undefined);
    exchange.tellCleared({ ...TARGET, model: "cleared" }, "model");
    const lost = exchange.announce()?.facts ?? [];
    expect(lost).toHaveLength(2);
    exchange.leave();
    exchange.join(link, 0, []);
    expect(exchange.announce()?.facts).toEqual(lost);
    exchange.leave();
    exchange.join(link, 0, lost.slice(1));
    expect(exchange.announce()?.facts).toEqual(lost.slice(0, 1));
    exchange.leave();
    exchange.join(link, 0, lost);
    expect(exchange.announce()?.facts).toEqual([]);
  });

  test("B5: facts that it has at its joining hold from then on, also for a target that it meets later", () => {
    const { exchange, health, link } = processOf("a");
    exchange.knownOf(TARGET);
    exchange.join(link, 0, [
      { key: '["model","p","m"]', epoch: 0, rank: 5000, untilMs: 5000, value: '""' },
      { key: '["credential","p","m","unknown"]', epoch: 0, rank: 5000, untilMs: 5000, value: '""' },
      { key: '["model","elsewhere","m"]', epoch: 0, rank: 7000, untilMs: 7000, value: '""' },
      { key: '["breaker","p"]', epoch: 0, rank: 3000, untilMs: 9000, value: "nonsense" },
      { key: "nonsense", epoch: 0, rank: 5000, untilMs: 5000, value: "" },
    ]);
    expect(health.blockedForMs(TARGET, null, 1000)).toBe(4000);
    const later = { provider: "elsewhere", model: "m", credential: "" };
    expect(health.blockedForMs(later, null, 1000)).toBe(0);
    exchange.knownOf(later);
    expect(health.blockedForMs(later, null, 1000)).toBe(6000);
  });

  test("B5: an echo, an unknown provider and a lost process do no harm", () => {
    const { exchange, health, link, clock } = processOf("a");
    exchange.knownOf(TARGET);
    exchange.join(link, 0, []);
    const cooled = [{ key: '["model","p","m"]', epoch: 0, rank: 5000, untilMs: 5000, value: '""' }];
    exchange.hear(message({ from: "a", facts: cooled }));
    expect(health.blockedForMs(TARGET, null, 1000)).toBe(0);
    const other = processOf("b");
    other.exchange.join(other.link, 0, []);
    const elsewhere = { provider: "elsewhere", model: "m", credential: "" };
    for (const target of [TARGET, elsewhere]) {
      const known = other.exchange.knownOf(target);
      known.counts[0] = 3;
      known.hasNews = true;
    }
    const heard = exchange.read(other.exchange.announce()?.text ?? "");
    expect(heard?.targets).toHaveLength(2);
    if (heard !== undefined) exchange.hear(heard);
    expect(exchange.processes).toBe(2);
    clock.nowMs += 600_000;
    exchange.announce();
    expect(exchange.processes).toBe(1);
    exchange.leave();
    expect(exchange.announce()).toBeUndefined();
  });

  test("B5: what it does not know of has no name or moment of its own", () => {
    const { exchange } = processOf("a");
    exchange.noteAnswer("nowhere");
    expect([exchange.stampOf("nowhere"), exchange.sharedName("nowhere")]).toEqual([0, "nowhere"]);
    exchange.setClock(50);
    expect(exchange.read("nonsense")).toBeUndefined();
  });

  test("B5: its usual traffic grows by that of the others, and shrinks when they are gone", () => {
    const { exchange, link } = processOf("a");
    exchange.knownOf(TARGET);
    for (let n = 0; n < 10; n++) exchange.noteAnswer("p");
    exchange.join(link, 0, []);
    for (let n = 0; n < 10; n++) exchange.noteAnswer("p");
    exchange.leave();
    exchange.join(link, 0, []);
    expect(exchange.processes).toBe(1);
  });

  test("B5: clearing a cooldown is known to all, though another still announces it", () => {
    const { exchange, health, link } = processOf("a");
    exchange.knownOf(TARGET);
    exchange.join(link, 0, []);
    exchange.tellCooldown(TARGET, "model", 8000, "not_found");
    exchange.tellCleared(TARGET, "model");
    const [last] = exchange.announce()?.facts ?? [];
    expect(last).toMatchObject({ rank: 0 });
    exchange.hear(message({ facts: [{ key: '["model","p","m"]', epoch: 0, rank: 9000, untilMs: 9000, value: '""' }] }));
    expect(health.blockedForMs(TARGET, null, 1000)).toBe(0);
  });
});
