import OpenAI from "openai";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  always,
  ok,
  overloaded,
  rateLimited,
  type SimulatedProviders,
  silent,
  simulateProviders,
  stallAfter,
  times,
  virtualTime,
} from "../../../src/adapters/testing/index.ts";
import { patientPolicy, resilient, run, stream } from "../../../src/index.ts";
import { patientStrategy } from "../../../src/turn/index.ts";

const HOUR = 3_600_000;
const open: SimulatedProviders[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(open.splice(0).map((providers) => providers.close()));
});

const overload = Object.assign(new Error("Overloaded"), { status: 529 });
const fails = async (): Promise<string> => {
  throw overload;
};

async function clientOf(script: NonNullable<Parameters<typeof simulateProviders>[0]>["script"] & object) {
  const providers = await simulateProviders({ script });
  open.push(providers);
  const client = new OpenAI({ apiKey: "k", baseURL: providers.baseURLs.openai, maxRetries: 0 });
  const messages = [{ role: "user" as const, content: "Hello" }];
  return { providers, client, request: { model: "gpt-5.4", messages } };
}

describe("virtual time that passes by itself", () => {
  test("E10: eight hours of outage pass at once", async () => {
    const time = virtualTime();
    const result = await run(fails, { policy: patientPolicy(), ports: time.ports });
    expect(result).toMatchObject({ ok: false, reason: "retries-exhausted" });
    expect(time.waits.slice(0, 4).map(({ delayMs }) => delayMs)).toEqual([5000, 10_000, 30_000, 60_000]);
    expect(time.waits).toHaveLength(21);
    expect(time.elapsedMs).toBe(27_105_000);
    expect(time.elapsedMs).toBeLessThan(8 * HOUR);
  });

  test("B7: carries a client through simulated failures, with the hints of the provider", async () => {
    const { providers, client, request } = await clientOf([
      times(2, overloaded()),
      rateLimited({ retryAfterMs: 90_000 }),
      ok("Hello"),
    ]);
    const time = virtualTime();
    const ask = resilient(({ signal }) => client.chat.completions.create(request, { signal }), patientPolicy(), {
      ports: time.ports,
    });
    const answer = await ask();
    expect(answer.choices[0]?.message.content).toBe("Hello");
    expect(time.waits.map(({ delayMs }) => delayMs)).toEqual([5000, 10_000, 90_000]);
    expect(providers.stepsLeft).toEqual([]);
  });

  test("E15: a stream that stalls and a call that never answers end by their watchdogs", async () => {
    const { client, request } = await clientOf([silent(), stallAfter(3), ok("Hello")]);
    const time = virtualTime();
    const items = stream(
      async function* ({ signal }) {
        yield* await client.chat.completions.create({ ...request, stream: true }, { signal });
      },
      { ports: time.ports, sink: "buffered" },
    );
    let text = "";
    for await (const { choices } of items) text += choices[0]?.delta.content ?? "";
    expect(text).toBe("Hello");
    expect(time.elapsedMs).toBeGreaterThan(120_000);
  });

  test("E12: is not touched by fake timers", async () => {
    vi.useFakeTimers();
    const time = virtualTime();
    await run(fails, { policy: patientPolicy(), ports: time.ports });
    expect(time.elapsedMs).toBe(27_105_000);
    expect(Date.now() - vi.getRealSystemTime()).toBeLessThan(1000);
  });

  test("E12: the same seed gives the same waits, and a random source of your own replaces it", async () => {
    const delays = async (options: object): Promise<number[]> => {
      const time = virtualTime(options);
      await run(fails, { ports: time.ports });
      return time.waits.map(({ delayMs }) => delayMs);
    };
    expect(await delays({ seed: 7 })).toEqual(await delays({ seed: 7 }));
    expect(await delays({ seed: 7 })).not.toEqual(await delays({ seed: 8 }));
    expect((await delays({ random: () => 0.5 }))[0]).toBe(500);
  });

  test("K1: its sleep serves a strategy and code of your own", async () => {
    const time = virtualTime();
    const { sleep } = patientStrategy(time.sleep);
    await sleep(HOUR, new AbortController().signal);
    expect(time.elapsedMs).toBe(HOUR);
    expect(time.waits).toEqual([{ startedAtMs: 0, delayMs: HOUR, waitedMs: HOUR }]);
  });
});

describe("virtual time that passes on demand", () => {
  test("E8: nothing happens before its time", async () => {
    const time = virtualTime({ manual: true });
    const call = vi.fn(fails);
    const running = run(call, { policy: patientPolicy(), ports: time.ports });
    await time.advance(4999);
    expect(call).toHaveBeenCalledTimes(1);
    expect(time.waits).toEqual([{ startedAtMs: 0, delayMs: 5000, waitedMs: 4999 }]);
    await time.advance(1);
    expect(call).toHaveBeenCalledTimes(2);
    await time.advance(HOUR);
    expect(time.elapsedMs).toBe(HOUR + 5000);
    expect(await time.until(running)).toMatchObject({ ok: false });
    expect(time.elapsedMs).toBe(27_105_000);
  });

  test("E13: an abort ends a wait at once and leaves nothing waiting", async () => {
    const time = virtualTime({ manual: true });
    const abort = new AbortController();
    const running = run(fails, { policy: patientPolicy(), ports: time.ports, signal: abort.signal });
    const slept = time.sleep(HOUR, abort.signal);
    await time.advance(2000);
    abort.abort(new Error("enough"));
    expect(await running).toMatchObject({ ok: false, reason: "aborted" });
    await expect(slept).rejects.toThrow("enough");
    expect(time.waits.map(({ waitedMs }) => waitedMs)).toEqual([2000, 2000]);
    await time.advance(HOUR);
    expect(time.elapsedMs).toBe(HOUR + 2000);
  });

  test("E15: a call over HTTP has its reply before time passes", async () => {
    const { client, request } = await clientOf([always(overloaded())]);
    const time = virtualTime({ manual: true });
    const call = vi.fn(() => client.chat.completions.create(request));
    const running = run(call, { policy: patientPolicy(), ports: time.ports });
    await time.advance(15_000);
    expect(call).toHaveBeenCalledTimes(3);
    expect(await time.until(running)).toMatchObject({ ok: false, failure: { kind: "overloaded" } });
  });

  test.each([
    [{ manual: "yes" }, "manual"],
    [{ quietMs: 0 }, "quietMs"],
    [{ seed: -1 }, "seed"],
    [{ random: 0.5 }, "random"],
    [{ speed: 3 }, "options.speed"],
  ])("E12: rejects %j", (options, field) => {
    expect(() => virtualTime(options as object)).toThrow(field);
  });

  test("E12: rejects a time that cannot pass", async () => {
    const time = virtualTime();
    expect(() => time.advance(-1)).toThrow("ms must be a number");
    await expect(time.sleep(Number.NaN)).rejects.toThrow("ms must be a number");
  });
});
