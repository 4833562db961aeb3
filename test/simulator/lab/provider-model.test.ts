import { describe, expect, test } from "vitest";
import type { AttemptContext } from "../../../src/index.ts";
import { type Conditions, NORMAL } from "../../../src/simulator/lab/conditions.ts";
import { lightAbort } from "../../../src/simulator/lab/light-abort.ts";
import { ProviderModel, type ProviderSize } from "../../../src/simulator/lab/provider-model.ts";
import { Tally } from "../../../src/simulator/lab/tally.ts";
import { VirtualWorld } from "../../../src/simulator/world/index.ts";

/** With this draw an exponential time is exactly its mean. */
const MEAN = 1 - Math.exp(-1);

function provide(
  size: Partial<ProviderSize> = {},
  conditions: Partial<Conditions> | ((nowMs: number) => Partial<Conditions>) = {},
  random = () => MEAN,
) {
  const world = new VirtualWorld();
  const tally = new Tally({ now: () => world.nowMs, seconds: 60 });
  const provider = new ProviderModel({
    world,
    tally,
    size: { slots: 1, queueLimit: 1, serviceMs: 1000, ...size },
    random,
    conditions: () => ({ ...NORMAL, ...(typeof conditions === "function" ? conditions(world.nowMs) : conditions) }),
  });
  const call = () => {
    const abort = lightAbort();
    const ends: string[] = [];
    const context = {
      signal: abort.signal,
      progress: () => ends.push(`alive ${world.nowMs}`),
    } as unknown as AttemptContext;
    provider.call(context).then(
      () => ends.push(`answer ${Math.round(world.nowMs)}`),
      (error: { status?: number; code?: string; headers?: object }) =>
        ends.push(
          `${error.status ?? error.code} ${Math.round(world.nowMs)} ${error.headers === undefined ? "" : JSON.stringify(error.headers)}`.trim(),
        ),
    );
    return { ends, giveUp: () => abort.abort(undefined) };
  };
  const total = (name: keyof Tally["series"]): number => tally.series[name].reduce((sum, count) => sum + count, 0);
  return { world, provider, call, total };
}

describe("B7: the provider model", () => {
  test("B7: works on as many calls as it has slots; the next one waits in the queue, one more is rejected", async () => {
    const { world, provider, call, total } = provide();
    const [first, second, third] = [call(), call(), call()];
    expect({ busy: provider.busy, queued: provider.queued }).toEqual({ busy: 1, queued: 1 });
    await world.advance(3000);
    expect(first.ends).toEqual(["answer 1000"]);
    expect(second.ends).toEqual(["answer 2000"]);
    expect(third.ends).toEqual(["503 10 {}"]);
    expect({ calls: total("calls"), reached: total("reached"), rejected: total("rejected") }).toEqual({
      calls: 3,
      reached: 3,
      rejected: 1,
    });
  });

  test("B7: abandoned work keeps its slot until it is done, and its answer is wasted", async () => {
    const { world, provider, call, total } = provide();
    const [first, second] = [call(), call()];
    await world.advance(400);
    first.giveUp();
    expect(provider.busy).toBe(1);
    await world.advance(2000);
    expect(first.ends).toEqual([]);
    expect(second.ends).toEqual(["answer 2000"]);
    expect({ wasted: total("wasted"), abandoned: total("abandoned"), answered: total("callsAnswered") }).toEqual({
      wasted: 1,
      abandoned: 1,
      answered: 1,
    });
  });

  test("B7: work that is abandoned in the queue still gets its slot", async () => {
    const { world, provider, call, total } = provide();
    call();
    call().giveUp();
    await world.advance(1500);
    expect(provider.busy).toBe(1);
    await world.advance(1000);
    expect({ busy: provider.busy, wasted: total("wasted") }).toEqual({ busy: 0, wasted: 1 });
  });

  test("B7: a lost call takes no slot and never settles", async () => {
    const { world, provider, call, total } = provide({}, { lost: 0.9 });
    const lost = call();
    await world.advance(50_000);
    expect({ ends: lost.ends, busy: provider.busy, lost: total("lost"), reached: total("reached") }).toEqual({
      ends: [],
      busy: 0,
      lost: 1,
      reached: 0,
    });
  });

  test("B7: a quota rejects calls over it until its period ends, with the time until then as a hint", async () => {
    const { world, call } = provide({ slots: 9 }, { quota: { share: 1 / 90, periodMs: 10_000 } });
    await world.advance(4000);
    const [first, second] = [call(), call()];
    await world.advance(6000);
    const third = call();
    await world.advance(2000);
    expect(first.ends).toEqual(["answer 5000"]);
    expect(second.ends).toEqual(['429 4010 {"retry-after-ms":"6000"}']);
    expect(third.ends).toEqual(["answer 11000"]);
  });

  test("B7: a quota of two and a half calls per period accepts two and three in turn", async () => {
    const { world, call } = provide({ slots: 9 }, { quota: { share: 2.5 / 90, periodMs: 10_000 } });
    const accepted: number[] = [];
    for (let period = 0; period < 4; period++) {
      const calls = [call(), call(), call(), call()];
      await world.advance(10_000);
      accepted.push(calls.filter(({ ends }) => ends[0]?.startsWith("answer")).length);
    }
    expect(accepted).toEqual([2, 3, 2, 3]);
  });

  test("B7: a broken connection is reported to the caller; the provider finishes the work, which does not count as wasted", async () => {
    const { world, provider, call, total } = provide({}, { cut: 0.7 });
    const cut = call();
    await world.advance(900);
    // The draw is 0.63, and so much of the 1000 ms has passed.
    expect(cut.ends).toEqual(["ECONNRESET 632"]);
    expect(provider.busy).toBe(1);
    await world.advance(1000);
    expect({
      busy: provider.busy,
      cut: total("cut"),
      wasted: total("wasted"),
      answered: total("callsAnswered"),
    }).toEqual({ busy: 0, cut: 1, wasted: 0, answered: 0 });
  });

  test("B7: a call that was given up before its connection breaks is abandoned, not cut", async () => {
    const { world, call, total } = provide({}, { cut: 0.7 });
    const given = call();
    await world.advance(100);
    given.giveUp();
    await world.advance(2000);
    expect({ cut: total("cut"), abandoned: total("abandoned"), wasted: total("wasted") }).toEqual({
      cut: 0,
      abandoned: 1,
      wasted: 1,
    });
  });

  test("B7: rejects with one of several errors, and with the hint of the error", async () => {
    const errors = [
      { status: 429, message: "Rate limit reached", retryAfterMs: 1000 },
      { status: 503, message: "Service Unavailable" },
      { status: 529, message: "Overloaded" },
    ];
    const draws = [0, 0, 0, 0.5, 0, 0.99];
    const { world, call } = provide({}, { rejected: 0.05, errors }, () => draws.shift() ?? 1);
    const calls = [call(), call(), call()];
    await world.advance(100);
    expect(calls.flatMap(({ ends }) => ends)).toEqual(['429 10 {"retry-after-ms":"1000"}', "503 10 {}", "529 10 {}"]);
  });

  test("B7: with a part of its slots it works on less, and catches up when they come back; one slot always works", async () => {
    const { world, provider, call } = provide({ slots: 4, queueLimit: 9 }, (nowMs) => ({
      capacity: nowMs < 500 ? 0.01 : 1,
    }));
    const calls = [call(), call(), call(), call()];
    expect({ busy: provider.busy, queued: provider.queued }).toEqual({ busy: 1, queued: 3 });
    await world.advance(1500);
    expect({ busy: provider.busy, queued: provider.queued }).toEqual({ busy: 3, queued: 0 });
    await world.advance(1000);
    expect(calls.map(({ ends }) => ends[0])).toEqual(["answer 1000", "answer 2000", "answer 2000", "answer 2000"]);
  });

  test("B7: slow tokens count as progress", async () => {
    const { world, call } = provide({}, { slowness: 2 });
    const slow = call();
    await world.advance(3000);
    expect(slow.ends).toEqual(["alive 0", "alive 500", "alive 1000", "alive 1500", "answer 2000"]);
  });
});
