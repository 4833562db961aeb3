import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { definePolicy, patientPolicy, run, stream, tavernPolicy } from "../../../src/index.ts";
import { VirtualWorld } from "../../../src/simulator/world/index.ts";
import { answer, fails, hangs, hangsUntilAborted, httpError, read, World } from "../../support/world.ts";

describe("abort", () => {
  test("E13: an abort while sleeping ends the generation at once and starts nothing more", async () => {
    const world = new World();
    const controller = new AbortController();
    const generation = world.start(world.script(fails(503)), { policy: patientPolicy(), signal: controller.signal });
    await world.time.advance(2000);
    controller.abort(new Error("enough"));
    const result = await generation.result;
    expect(result).toMatchObject({
      ok: false,
      reason: "aborted",
      failure: { kind: "aborted", cause: new Error("enough") },
    });
    expect(world.time.sleeping).toBe(0);
    await world.time.advance(1_000_000);
    expect(world.startedAt).toEqual([0]);
    expect(world.event("wait-end")).toMatchObject([{ ended: "aborted", waitedMs: 2000 }]);
  });

  test("E13: an abort while an attempt is under way ends at once, though the attempt never settles", async () => {
    const world = new World();
    const controller = new AbortController();
    const generation = world.start(world.script(hangs), { signal: controller.signal });
    await world.time.advance(10);
    controller.abort();
    expect(await generation.result).toMatchObject({ ok: false, reason: "aborted" });
    expect(world.time.sleeping).toBe(0);
  });

  test("E13: the attempt's own signal aborts with the same reason, so that the socket closes", async () => {
    const world = new World();
    const controller = new AbortController();
    let seen: AbortSignal | undefined;
    const generation = world.start(
      (context) => {
        seen = context.signal;
        return hangsUntilAborted(context);
      },
      { signal: controller.signal },
    );
    await world.time.settle();
    const reason = new Error("the user left");
    controller.abort(reason);
    await generation.result;
    expect(seen?.aborted).toBe(true);
    expect(seen?.reason).toBe(reason);
  });

  test("E13: a signal that was aborted before makes no call at all", async () => {
    const world = new World();
    const result = await world.run(world.script(answer()), { signal: AbortSignal.abort(new Error("too late")) });
    expect(result).toMatchObject({ ok: false, reason: "aborted", receipt: { attempts: 0, targets: [], history: [] } });
    expect(world.startedAt).toEqual([]);
  });

  test("E13: the late result of an abandoned attempt changes nothing", async () => {
    const world = new World();
    const controller = new AbortController();
    let finish: (value: string) => void = () => undefined;
    const generation = world.start(
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
      { signal: controller.signal },
    );
    await world.time.settle();
    controller.abort();
    const result = await generation.result;
    finish("late answer");
    await world.time.settle();
    expect(result.ok).toBe(false);
    expect(world.event("generation-end")).toHaveLength(1);
  });

  test("E13: a signal asked for after the attempt was given up is aborted already", async () => {
    const world = new World();
    const controller = new AbortController();
    let late: AbortSignal | undefined;
    const generation = world.start(
      async (context) => {
        await world.time.pause(10);
        late = context.signal;
      },
      { signal: controller.signal },
    );
    controller.abort();
    await generation.result;
    await world.time.advance(10);
    expect(late?.aborted).toBe(true);
  });

  test("E20: a finished generation leaves no listener on the caller's signal", async () => {
    const controller = new AbortController();
    let listeners = 0;
    const { signal } = controller;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    };
    const world = new World();
    await world.run(world.script(fails(503), answer()), { signal });
    await world.run(world.script(fails(400)), { signal });
    expect(listeners).toBe(0);
  });

  test("E13: abort at every await settles at once and starts nothing more", async () => {
    const policy = definePolicy({
      schedules: { general: { type: "fixed", delayMs: 5, atMost: 4 } },
      watchdog: { firstContentMs: 50, idleMs: 50 },
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("ok", "fail", "hang", "throw"), { minLength: 1, maxLength: 6 }),
        fc.nat({ max: 40 }),
        fc.scheduler(),
        async (script, abortAfter, scheduler) => {
          const time = new VirtualWorld();
          const controller = new AbortController();
          let starts = 0;
          let startsAfterAbort = 0;
          const call = async (): Promise<string> => {
            const step = script[Math.min(starts++, script.length - 1)];
            if (controller.signal.aborted) startsAfterAbort++;
            if (step === "throw") throw httpError(503);
            await scheduler.schedule(Promise.resolve());
            if (step === "hang") return new Promise(() => undefined);
            if (step === "fail") throw httpError(502);
            return "fine";
          };
          const ends: string[] = [];
          const result = run(call, {
            policy,
            ports: time.ports,
            signal: controller.signal,
            on: (event) => {
              if (event.type === "generation-end") ends.push(event.receipt.outcome);
            },
          });
          let settled: Awaited<typeof result> | undefined;
          void result.then((value) => {
            settled = value;
          });
          // Microtask by microtask, with time and the foreign awaits going on in between, until the chosen moment.
          for (let step = 0; step < abortAfter && settled === undefined; step++) {
            await Promise.resolve();
            if (step % 3 === 0 && scheduler.count() > 0) await scheduler.waitOne();
            if (step % 5 === 0) await time.advance(3);
          }
          const hadEnded = ends.length > 0;
          const startsBefore = starts;
          controller.abort();
          // At once: no timer and no foreign await is needed any more.
          for (let i = 0; i < 5; i++) await Promise.resolve();
          expect(settled).toBeDefined();
          if (!hadEnded) expect(settled).toMatchObject({ ok: false, reason: "aborted" });
          expect(time.sleeping).toBe(0);
          await time.advance(1000);
          while (scheduler.count() > 0) await scheduler.waitOne();
          await time.settle();
          expect(starts).toBe(startsBefore);
          expect(startsAfterAbort).toBe(0);
          expect(ends).toHaveLength(1);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe("isolation", () => {
  test("E13: overlapping generations never mix their answers, attempts, events or receipts", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.constantFrom(200, 429, 502, 503, 400), { minLength: 1, maxLength: 5 }), {
          minLength: 2,
          maxLength: 6,
        }),
        async (scripts) => {
          const time = new VirtualWorld();
          const { ports } = time;
          const alone: unknown[] = [];
          const outcomeOf = (script: readonly number[], index: number, on: (id: string) => void) => {
            let calls = 0;
            return run(
              (context) => {
                const status = script[Math.min(calls++, script.length - 1)] ?? 200;
                if (status !== 200) throw httpError(status, `generation ${index}, call ${context.attempt}`);
                return `answer ${index}.${context.attempt}`;
              },
              { policy: tavernPolicy(), ports, id: `id-${index}`, on: (event) => on(event.generationId) },
            );
          };
          for (const [index, script] of scripts.entries()) {
            alone.push(summary(await time.until(outcomeOf(script, index, () => undefined))));
          }
          const ids: string[][] = scripts.map(() => []);
          const together = await time.until(
            Promise.all(scripts.map((script, index) => outcomeOf(script, index, (id) => ids[index]?.push(id)))),
          );
          expect(together.map(summary)).toEqual(alone);
          for (const [index, seen] of ids.entries()) expect(new Set(seen)).toEqual(new Set([`id-${index}`]));
        },
      ),
      { numRuns: 60 },
    );
  });

  test("E13: aborting one stream leaves another from the same source running", async () => {
    const world = new World();
    async function* tokens(name: string) {
      for (let i = 0; i < 3; i++) {
        await new Promise((resolve) => setImmediate(resolve));
        yield `${name}${i}`;
      }
    }
    const controller = new AbortController();
    const first = stream(() => tokens("a"), { ports: world.ports, signal: controller.signal });
    const second = stream(() => tokens("b"), { ports: world.ports });
    await first.next();
    controller.abort();
    expect((await read(second)).items).toEqual(["b0", "b1", "b2"]);
    expect(await read(first)).toMatchObject({ items: [], error: { name: "AbortError" } });
  });
});

function summary(result: Awaited<ReturnType<typeof run>>): unknown {
  const { attempts, waitedMs, history, outcome } = result.receipt;
  return { value: result.ok ? result.value : result.failure.message, attempts, waitedMs, history, outcome };
}
