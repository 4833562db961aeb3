import { describe, expect, test } from "vitest";
import { definePolicy, type GenerationStream } from "../../src/index.ts";
import { httpError, read, World } from "../support/world.ts";

const POLICY = definePolicy({
  afterContent: "restart",
  schedules: { general: { type: "fixed", delayMs: 10, atMost: 3 } },
});

/** Gives two tokens and breaks, every time. */
async function* breaking(): AsyncGenerator<string> {
  yield "a";
  yield "b";
  throw httpError(502, "cut");
}

const ENDINGS = {
  "return()": (items: GenerationStream<string>) => void items.return?.(),
  "giveUp()": (items: GenerationStream<string>) => void items.giveUp(),
  "its signal": (_: GenerationStream<string>, controller: AbortController) => controller.abort(),
};

describe("a stream that ends while its partial answer is taken back", () => {
  for (const [way, end] of Object.entries(ENDINGS)) {
    test(`E14: ${way} inside an attempt-discard listener keeps the marker and the receipt's truncated`, async () => {
      const world = new World();
      const controller = new AbortController();
      const items: GenerationStream<string> = world.stream(breaking, {
        policy: POLICY,
        signal: controller.signal,
        sink: { retractable: () => "<discard>" },
        on: (event) => {
          world.events.push(event);
          if (event.type === "attempt-discard") end(items, controller);
        },
      });
      const got = await world.time.until(read(items));
      await world.time.advance(1000);
      expect(got.items).toEqual(["a", "b", "<discard>"]);
      expect(items.receipt).toMatchObject({ truncated: true, complete: false, attempts: 1 });
      expect(world.event("generation-end")).toMatchObject([{ receipt: { truncated: true } }]);
      expect(world.types()).toEqual(["attempt-start", "attempt-end", "attempt-discard", "generation-end"]);
      expect(world.time.sleeping).toBe(0);
    });
  }

  test("E14: a stream that is not ended there goes on with the next attempt after the marker", async () => {
    const world = new World();
    let calls = 0;
    const items = world.stream(
      async function* () {
        if (calls++ === 0) yield* breaking();
        yield "c";
      },
      { policy: POLICY, sink: { retractable: () => "<discard>" } },
    );
    expect(await world.time.until(read(items))).toEqual({ items: ["a", "b", "<discard>", "c"], error: undefined });
    expect(items.receipt).toMatchObject({ truncated: false, complete: true, attempts: 2 });
  });
});
