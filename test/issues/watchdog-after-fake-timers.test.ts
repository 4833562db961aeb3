import { afterEach, expect, test, vi } from "vitest";
import { run } from "../../src/index.ts";

afterEach(() => {
  vi.useRealTimers();
});

const hangs = (limitMs: number) =>
  run(() => new Promise<never>(() => undefined), {
    policy: { enabled: false, watchdog: { firstContentMs: limitMs } },
  });

test("E15: the time limit of a call holds after a test with fake timers has gone", async () => {
  vi.useFakeTimers();
  // Answers at once: the tick that would notice that nothing is watched any more never comes.
  await run(() => "answer");
  vi.useRealTimers();
  expect(await hangs(1)).toMatchObject({ ok: false, failure: { kind: "silent" } });
});

test("E15: the time limit of a call holds under the fake timers of every test, not only of the first", async () => {
  for (let round = 1; round <= 3; round += 1) {
    vi.useFakeTimers();
    await run(() => "answer");
    let kind: string | undefined;
    hangs(2000).then((result) => {
      if (!result.ok) kind = result.failure.kind;
    });
    await vi.advanceTimersByTimeAsync(4000);
    expect(kind, `round ${round}`).toBe("silent");
    await run(() => "answer");
    vi.useRealTimers();
  }
});

test("E15: fake timers do not leave a tick of the real ones behind, nor clear it with their own function", async () => {
  const stopped = vi.spyOn(globalThis, "clearInterval");
  await run(() => "answer");
  vi.useFakeTimers();
  await run(() => "answer");
  expect(stopped).toHaveBeenCalledTimes(1);
});
