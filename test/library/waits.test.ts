import { describe, expect, test } from "vitest";
import { type GenerationHandle, InvalidInput, type Listener, resilient, type Wait, waits } from "../../src/index.ts";
import { fails, answer as good, httpError, read, type Step, World } from "../support/world.ts";

const policy = { schedules: { general: { type: "fixed", delayMs: 5000, atMost: 3 } } } as const;

function worldOf(...steps: readonly Step[]) {
  const world = new World();
  const ask = resilient(world.script(...steps, good("fine")), policy, { ports: world.ports });
  return { world, ask };
}

const limited = fails(429, "slow down");

describe("waits", () => {
  test("B8: has an entry for every call that waits, in words and in the endpoint's words", async () => {
    const { world, ask } = worldOf(limited);
    const { getSnapshot } = waits(ask);
    expect(getSnapshot()).toEqual([]);
    const answer = ask.with({ id: "g1" })();
    await world.time.advance(1000);
    expect(getSnapshot()).toEqual([
      {
        id: "g1",
        kind: "rate_limit",
        message: "Rate limited",
        verbatim: "slow down",
        until: world.ports.wallNow() + 4000,
        retry: 1,
        maxRetries: 3,
        target: { provider: "", model: "", credential: "" },
        waitedMs: 0,
        patienceMs: 300_000,
        retryNow: expect.any(Function),
        giveUp: expect.any(Function),
      },
    ]);
    expect(await world.time.until(answer)).toBe("fine");
    expect(getSnapshot()).toEqual([]);
  });

  test("B8: the snapshot is the same until something changes, and then another", async () => {
    const { world, ask } = worldOf(limited, limited);
    const { subscribe, getSnapshot } = waits(ask);
    const seen: (readonly Wait[])[] = [];
    const leave = subscribe(() => seen.push(getSnapshot()));
    const answer = ask();
    await world.time.advance(1);
    expect(getSnapshot()).toBe(getSnapshot());
    await world.time.until(answer);
    expect(seen.map((list) => list.map(({ retry, waitedMs }) => [retry, waitedMs]))).toEqual([
      [[1, 0]],
      [],
      [[2, 5000]],
      [],
    ]);
    expect(new Set(seen).size).toBe(3);
    leave();
    await world.time.until(ask());
    expect(seen).toHaveLength(4);
  });

  test("B8: one generation that has the same id as another does not hide it", async () => {
    const { world, ask } = worldOf(limited, limited);
    const { getSnapshot } = waits(ask);
    const both = [ask.with({ id: "same" })(), ask.with({ id: "same" })()];
    await world.time.advance(1);
    expect(getSnapshot()).toHaveLength(2);
    await world.time.until(Promise.all(both));
  });

  test("B8: retryNow ends its own wait only, giveUp the generation", async () => {
    const { world, ask } = worldOf(limited, limited);
    const { getSnapshot } = waits(ask);
    const ending = ask().catch((error: unknown) => error);
    await world.time.advance(1);
    const [first] = getSnapshot();
    expect(first?.retryNow()).toBe(true);
    await world.time.advance(1);
    const [second] = getSnapshot();
    expect(second?.retry).toBe(2);
    expect(first?.retryNow()).toBe(false);
    expect(getSnapshot()).toEqual([second]);
    expect(second?.giveUp()).toBe(true);
    expect(second?.giveUp()).toBe(false);
    expect(await world.time.until(ending)).toMatchObject({ reason: "gave-up", attempts: 2 });
    expect(getSnapshot()).toEqual([]);
  });

  test("B8: an abort ends the entry", async () => {
    const { world, ask } = worldOf(limited);
    const { getSnapshot } = waits(ask);
    const controller = new AbortController();
    const ending = ask
      .with({ signal: controller.signal })()
      .catch(() => undefined);
    await world.time.advance(1);
    expect(getSnapshot()).toHaveLength(1);
    controller.abort();
    expect(getSnapshot()).toEqual([]);
    await ending;
  });

  test("B8: a source has one store, until that is closed", async () => {
    const { world, ask } = worldOf(limited);
    const first = waits(ask);
    expect(waits(ask)).toBe(first);
    const answer = ask();
    await world.time.advance(1);
    let changes = 0;
    first.subscribe(() => changes++);
    first.close();
    expect([changes, first.getSnapshot()]).toEqual([1, []]);
    expect(waits(ask)).not.toBe(first);
    expect(await world.time.until(answer)).toBe("fine");
    expect(changes).toBe(1);
  });

  test("B8: a retry without a delay is no wait", async () => {
    const world = new World();
    const immediate = { schedules: { general: { type: "fixed", delayMs: 0, atMost: 3 } } } as const;
    const ask = resilient(world.script(limited, good("fine")), immediate, { ports: world.ports });
    let changes = 0;
    waits(ask).subscribe(() => changes++);
    await world.time.until(ask());
    expect(changes).toBe(0);
  });

  test("B8: the handle of start is a source, in the middle of a wait too", async () => {
    const world = new World();
    const handle = world.start(world.script(limited, good("fine")), { policy });
    await world.time.advance(1000);
    const { getSnapshot } = waits(handle);
    expect(getSnapshot()).toMatchObject([{ message: "Rate limited", retry: 1, until: world.ports.wallNow() + 4000 }]);
    getSnapshot()[0]?.retryNow();
    expect(await world.time.until(handle.result)).toMatchObject({ ok: true, value: "fine" });
    expect(getSnapshot()).toEqual([]);
    // Whoever listens by the options still does.
    expect(world.types().at(-1)).toBe("generation-end");
  });

  test("B8: a stream is a source", async () => {
    const world = new World();
    let calls = 0;
    const items = world.stream<string>(
      async function* () {
        if (++calls === 1) throw httpError(503);
        yield "a";
      },
      { policy },
    );
    const { getSnapshot, subscribe } = waits(items);
    const seen: number[] = [];
    subscribe(() => seen.push(getSnapshot().length));
    expect(await world.time.until(read(items))).toEqual({ items: ["a"], error: undefined });
    expect(seen).toEqual([1, 0]);
  });

  test("B8: anything with subscribe is a source", () => {
    let tell: Listener = () => undefined;
    const { getSnapshot } = waits({
      subscribe(listener) {
        tell = listener;
        return () => undefined;
      },
    });
    const handle: GenerationHandle = { id: "x", isWaiting: false, retryNow: () => true, giveUp: () => true };
    tell(
      {
        type: "attempt-start",
        generationId: "x",
        at: 0,
        attempt: 1,
        target: { provider: "", model: "", credential: "" },
      },
      handle,
    );
    expect(getSnapshot()).toEqual([]);
  });

  test.each([undefined, null, {}, "ask"])("B8: %j is no source", (source) => {
    expect(() => waits(source as never)).toThrow(InvalidInput);
  });
});
