import { expect, test } from "vitest";
import { stream } from "../../src/index.ts";
import type { Watched } from "../../src/kernel/index.ts";
import { systemPorts } from "../../src/system/index.ts";
import { createWatch } from "../../src/system/watch.ts";

test("E15: a paused attempt does not keep the process alive, a running one does", () => {
  let isHeld = true;
  let askIdle = (): void => undefined;
  const { watch, unwatch } = createWatch(() => undefined, {
    now: () => 0,
    every: () => ({ ref: () => (isHeld = true), unref: () => (isHeld = false) }),
    stop: () => undefined,
    onIdle: (listener) => (askIdle = listener),
  });
  const watched = (isPaused: boolean): Watched => ({ dueAt: 0, place: -1, isPaused, expire: () => undefined });
  const awaited = watched(false);

  watch(watched(true), 60_000);
  askIdle();
  expect(isHeld).toBe(false);

  watch(awaited, 60_000);
  askIdle();
  expect(isHeld).toBe(true);

  unwatch(awaited);
  askIdle();
  expect(isHeld).toBe(false);
});

test("E15: one that rests while the tick is held for it lets the process end", () => {
  let isHeld = true;
  let askIdle = (): void => undefined;
  let tick = (): void => undefined;
  const { watch } = createWatch(() => undefined, {
    now: () => 0,
    every: (each) => {
      tick = each;
      return { ref: () => (isHeld = true), unref: () => (isHeld = false) };
    },
    stop: () => undefined,
    onIdle: (listener) => (askIdle = listener),
  });
  const watched = { dueAt: 0, place: -1, isPaused: false, expire: () => undefined };
  watch(watched, 60_000);
  askIdle();
  tick();
  expect(isHeld).toBe(true);
  watched.isPaused = true;
  tick();
  expect(isHeld).toBe(false);
});

test("E15: a stream is paused while it is not read", async () => {
  let attempt: Watched | undefined;
  const { watch, ...others } = systemPorts();
  const ports = {
    ...others,
    watch(watched: Watched, limitMs: number): void {
      attempt = watched;
      watch(watched, limitMs);
    },
  };
  const items = stream(
    async function* () {
      yield "first";
      yield "second";
      await new Promise(() => undefined);
    },
    { ports },
  );
  await items.next();
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(attempt?.isPaused).toBe(true);
  const next = items.next();
  expect(attempt?.isPaused).toBe(false);
  items.giveUp();
  await expect(next).rejects.toMatchObject({ reason: "gave-up" });
});
