import { describe, expect, test } from "vitest";
import { sessionPolicy } from "../../src/index.ts";
import { fails, hangs, World } from "../support/world.ts";

const TARGET = { provider: "p", model: "m", credential: "" };

describe("an attempt that is called off", () => {
  test("E13: an abort during an attempt emits attempt-end before generation-end", async () => {
    const world = new World();
    const controller = new AbortController();
    const generation = world.start(hangs, {
      id: "g",
      targets: [{ provider: "p", model: "m" }],
      signal: controller.signal,
    });
    await world.time.advance(10);
    const reason = new Error("the user left");
    controller.abort(reason);
    const { receipt } = await generation.result;
    const failure = {
      kind: "aborted",
      scope: "request",
      retryable: false,
      message: "Aborted",
      status: undefined,
      code: undefined,
      hintMs: undefined,
      evidence: "engine:aborted",
      confidence: "certain",
      target: TARGET,
      cause: reason,
    };
    expect(world.events).toEqual([
      { type: "attempt-start", attempt: 1, target: TARGET, generationId: "g", at: expect.any(Number) },
      {
        type: "attempt-end",
        attempt: 1,
        target: TARGET,
        ok: false,
        failure,
        generationId: "g",
        at: expect.any(Number),
      },
      { type: "generation-end", receipt, failure, generationId: "g", at: expect.any(Number) },
    ]);
  });

  test("B8: giving up during an attempt emits attempt-end before generation-end", async () => {
    const world = new World();
    const generation = world.start(hangs);
    await world.time.settle();
    generation.giveUp();
    await generation.result;
    expect(world.types()).toEqual(["attempt-start", "attempt-end", "generation-end"]);
  });

  test("B8: giving up in the attempt-start event pairs it with an attempt-end", async () => {
    const world = new World();
    await world.run(world.script(hangs), {
      on: (event, { giveUp }) => {
        world.events.push(event);
        if (event.type === "attempt-start") giveUp();
      },
    });
    expect(world.types()).toEqual(["attempt-start", "attempt-end", "generation-end"]);
    expect(world.startedAt).toEqual([]);
  });

  test("E13: a reader that leaves in the middle of an answer emits attempt-end", async () => {
    const world = new World();
    const items = world.stream(async function* () {
      yield "a";
      await new Promise(() => undefined);
    });
    for await (const _ of items) break;
    expect(world.types()).toEqual(["attempt-start", "attempt-end", "generation-end"]);
    expect(items.receipt).toMatchObject({ truncated: true, outcome: "aborted" });
  });

  test("E13: a listener that gives up at the attempt-end of an abort ends the generation once", async () => {
    const world = new World();
    const controller = new AbortController();
    const generation = world.start(hangs, {
      signal: controller.signal,
      on: (event, { giveUp }) => {
        world.events.push(event);
        if (event.type === "attempt-end") giveUp();
      },
    });
    await world.time.settle();
    controller.abort();
    await generation.result;
    expect(world.types()).toEqual(["attempt-start", "attempt-end", "generation-end"]);
  });

  test("B4: the receipt of an aborted wait names the failure of the attempt, not the abort", async () => {
    const world = new World();
    const controller = new AbortController();
    const generation = world.start(world.script(fails(503)), { policy: sessionPolicy(), signal: controller.signal });
    await world.time.advance(500);
    controller.abort();
    const result = await generation.result;
    expect(result).toMatchObject({ ok: false, reason: "aborted", failure: { kind: "aborted" } });
    expect(result.receipt.history).toEqual([
      { attempt: 1, target: expect.anything(), kind: "overloaded", status: 503, waitedMs: 500 },
    ]);
  });

  test("B4: the receipt of an abort during the second attempt keeps the first failure", async () => {
    const world = new World();
    const controller = new AbortController();
    const generation = world.start(world.script(fails(503), hangs), {
      policy: sessionPolicy(),
      signal: controller.signal,
    });
    await world.time.advance(2500);
    controller.abort();
    const { receipt } = await generation.result;
    expect(receipt).toMatchObject({ attempts: 2, history: [{ attempt: 1, kind: "overloaded", status: 503 }] });
  });
});
