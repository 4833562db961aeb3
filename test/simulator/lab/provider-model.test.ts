import { describe, expect, test } from "vitest";
import type { AttemptContext } from "../../../src/index.ts";
import { type Conditions, NORMAL } from "../../../src/simulator/lab/conditions.ts";
import { lightAbort } from "../../../src/simulator/lab/light-abort.ts";
import { ProviderModel, type ProviderSize } from "../../../src/simulator/lab/provider-model.ts";
import { Tally } from "../../../src/simulator/lab/tally.ts";
import { VirtualWorld } from "../../../src/simulator/world/index.ts";

/** With this draw an exponential time is exactly its mean. */
const MEAN = 1 - Math.exp(-1);

function provide(size: Partial<ProviderSize> = {}, conditions: Partial<Conditions> = {}) {
  const world = new VirtualWorld();
  const tally = new Tally(() => world.nowMs, 60);
  const provider = new ProviderModel({
    world,
    tally,
    size: { slots: 1, queueLimit: 1, serviceMs: 1000, ...size },
    random: () => MEAN,
    conditions: () => ({ ...NORMAL, ...conditions }),
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
      (error: { status: number; headers: object }) =>
        ends.push(`${error.status} ${Math.round(world.nowMs)} ${JSON.stringify(error.headers)}`),
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

  test("B7: slow tokens count as progress", async () => {
    const { world, call } = provide({}, { slowness: 2 });
    const slow = call();
    await world.advance(3000);
    expect(slow.ends).toEqual(["alive 0", "alive 500", "alive 1000", "alive 1500", "answer 2000"]);
  });
});
