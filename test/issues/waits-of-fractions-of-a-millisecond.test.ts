import { expect, test } from "vitest";
import { virtualTime } from "../../src/adapters/testing/index.ts";
import { type GenerationEvent, run, sessionPolicy } from "../../src/index.ts";
import { systemPorts } from "../../src/system/index.ts";
import { emits, says } from "../support/scripted-provider.ts";
import { TurnWorld } from "../turn/turns.ts";

/** The numbers of milliseconds in an event, as a listener prints them. */
function millisecondsIn(value: unknown, into: number[] = []): number[] {
  if (typeof value !== "object" || value === null) return into;
  for (const [name, field] of Object.entries(value)) {
    if (typeof field === "number" && /(?:Ms|until|at)$/.test(name)) into.push(field);
    millisecondsIn(field, into);
  }
  return into;
}

function failing(times: number, hintMs?: number) {
  const retry = hintMs === undefined ? {} : { headers: { "retry-after-ms": String(hintMs) } };
  return ({ attempt }: { readonly attempt: number }) => {
    if (attempt <= times) throw Object.assign(new Error(`Down ${attempt}`), { status: 503, ...retry });
    return "fine";
  };
}

test("E11: the waits of a schedule with jitter are whole milliseconds in events and receipts", async () => {
  const time = virtualTime();
  const events: GenerationEvent[] = [];
  const { receipt } = await run(failing(8), { ports: time.ports, on: (event) => void events.push(event) });
  expect(time.waits).toHaveLength(8);
  const printed = [...millisecondsIn(events), ...millisecondsIn(receipt), ...millisecondsIn(time.waits)];
  expect(printed.filter((ms) => !Number.isInteger(ms))).toEqual([]);
  expect(receipt.waitedMs).toBe(time.waits.reduce((sum, { delayMs }) => sum + delayMs, 0));
});

test("E6: a hint of fractions of a millisecond is waited for up to the next whole one", async () => {
  const time = virtualTime();
  const because: string[] = [];
  await run(failing(1, 539.477544), {
    ports: time.ports,
    policy: { schedules: { general: { type: "fixed", delayMs: 1 } } },
    on: (event) => void (event.type === "wait-start" && because.push(event.because)),
  });
  expect(time.waits.map(({ delayMs }) => delayMs)).toEqual([540]);
  expect(because).toEqual(["the endpoint asked for this wait"]);
});

test("E11: a delay of less than a millisecond is a wait, not a retry without one", async () => {
  const time = virtualTime();
  const schedules = { general: { type: "fixed", delayMs: 0.2 } } as const;
  await run(failing(2), { ports: time.ports, policy: { schedules } });
  expect(time.waits.map(({ delayMs }) => delayMs)).toEqual([1, 1]);
});

test("B8: a wait that was ended early reports whole milliseconds, and no more than it was to take", async () => {
  const base = systemPorts();
  const ends: number[] = [];
  const { receipt } = await run(failing(1), {
    policy: sessionPolicy(),
    // The monotonic clock counts fractions: performance.now().
    ports: { ...base, now: () => base.now() + 0.25 },
    on: (event, handle) => {
      if (event.type === "wait-start") queueMicrotask(() => handle.retryNow());
      if (event.type === "wait-end") ends.push(event.waitedMs);
    },
  });
  expect(ends).toHaveLength(1);
  expect([...ends, receipt.waitedMs, receipt.elapsedMs].filter((ms) => !Number.isInteger(ms))).toEqual([]);
  expect(ends[0]).toBeLessThan(2000);
});

test("K3: a strategy with fractions of a millisecond waits up to the next whole one, as its event says", async () => {
  const world = new TurnWorld(emits(503, "busy"), says("fine"));
  const result = await world.run({ retry: world.strategy(1234.5678) });
  expect(result).toMatchObject({ status: "done" });
  expect(world.slept).toEqual([1235]);
  expect(world.event("provider-retry")).toMatchObject([{ attempt: 0, delayMs: 1235 }]);
});
