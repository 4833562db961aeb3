import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Tool } from "../../src/turn/index.ts";
import { type Call, calls, emits, partly, says } from "../support/scripted-provider.ts";
import { TurnWorld } from "./turns.ts";

const never: Tool = {
  spec: { name: "never", description: "", parameters: {} },
  run: () => new Promise(() => undefined),
};

/** A turn with everything in it: waits, content, tools that ask a model and retry, a second step. It lasts 1,000 ms or more. */
const SCRIPT: readonly Call[] = [
  emits(503),
  [{ type: "pause", ms: 100 }, ...partly("Let me", { type: "pause", ms: 100 }), ...calls(["a", "ask"], ["b", "ask"])],
  emits(529),
  emits(529),
  [{ type: "pause", ms: 50 }, ...says("an answer")],
  [{ type: "pause", ms: 50 }, ...says("an answer")],
  [{ type: "pause", ms: 100 }, ...says("The", " end")],
];
const LASTS_MS = 1000;

const ask: Tool = {
  spec: { name: "ask", description: "", parameters: {} },
  run: (_, context) => context.ask({ prompt: "And?" }),
};

describe("an abort", () => {
  test("K4: while sleeping seals the turn as aborted, at once, and nothing more is started", async () => {
    const world = new TurnWorld(emits(503), says("never"));
    const controller = new AbortController();
    const turn = world.start({ retry: world.strategy(5000), signal: controller.signal });
    await world.time.advance(1000);
    controller.abort();
    expect((await turn).status).toBe("aborted");
    expect(world.time).toMatchObject({ nowMs: 1000, sleeping: 0 });
    expect(world.types().slice(-2)).toEqual(["provider-retry", "turn-sealed"]);
    expect(world.seals).toEqual(["aborted"]);
    expect(world.provider.requests).toHaveLength(1);
  });

  test("K4: before the turn has begun makes no call", async () => {
    const world = new TurnWorld(says("never"));
    const result = await world.run({ signal: AbortSignal.abort() });
    expect(result).toMatchObject({ status: "aborted", messages: [{ role: "user" }] });
    expect(world.provider.requests).toHaveLength(0);
  });

  test("K4: in the middle of an answer keeps the partial text and closes the stream", async () => {
    const world = new TurnWorld(partly("Once", { type: "hang" }));
    const controller = new AbortController();
    const turn = world.start({ signal: controller.signal });
    await world.time.settle();
    controller.abort();
    const result = await turn;
    await world.time.settle();
    expect(result.messages.at(-1)).toMatchObject({ stopReason: "aborted", parts: [{ text: "Once" }] });
    expect(world.provider.closed).toBe(1);
  });

  test("K4: does not wait for a tool that ignores it, and leaves no call without a result", async () => {
    const world = new TurnWorld(calls(["a", "never"]), says("never"));
    const controller = new AbortController();
    const turn = world.start({ signal: controller.signal, tools: [never] });
    await world.time.settle();
    controller.abort();
    const result = await turn;
    expect(result.status).toBe("aborted");
    expect(result.messages.at(-1)).toMatchObject({ role: "tool", toolCallId: "a", isError: true, content: "Aborted" });
  });

  test("K4: at any moment: sealed once, as aborted or done, and afterwards there is silence", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: LASTS_MS + 200 }), async (atMs) => {
        const world = new TurnWorld(...SCRIPT);
        const controller = new AbortController();
        const turn = world.start({ retry: world.strategy(200, 200), tools: [ask], signal: controller.signal });
        await world.time.advance(atMs);
        const requests = world.provider.requests.length;
        const wasSealed = world.seals.length > 0;
        controller.abort();
        const { status } = await turn;
        const told = world.events.length;
        await world.time.advance(10_000);
        expect(status).toBe(wasSealed ? "done" : "aborted");
        expect(world.seals).toEqual([status]);
        expect(world.events).toHaveLength(told);
        expect(world.provider.requests).toHaveLength(requests);
        expect(world.time.sleeping).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  test("K4: from within any event's listener seals once", async () => {
    for (let at = 0; at < 40; at++) {
      const world = new TurnWorld(...SCRIPT);
      const controller = new AbortController();
      const emit = (event: (typeof world.events)[number]): void => {
        world.events.push(event);
        if (world.events.length === at + 1) controller.abort();
      };
      const result = await world.run({
        retry: world.strategy(200, 200),
        tools: [ask],
        signal: controller.signal,
        emit,
      });
      expect(world.seals).toEqual([result.status]);
      expect(world.events.at(-1)?.type).toBe("turn-sealed");
      await world.time.settle();
      expect(world.time.sleeping).toBe(0);
    }
  });
});

describe("tool calls side by side", () => {
  test("C11: each retries by itself, its waits name it, and the answers are not mixed up", async () => {
    const world = new TurnWorld(calls(["a", "ask", { n: 1 }], ["b", "ask", { n: 2 }]), ({ messages }) => {
      const text = String((messages.at(-1) as { content?: string }).content);
      const seen = world.provider.requests.filter(({ messages: [first] }) => {
        return (first as { content?: string }).content === text;
      }).length;
      if (text === "question 1" && seen <= 3) return emits(503, `busy for ${text}`);
      if (text === "question 2" && seen <= 1) return emits(429, `slow down, ${text}`);
      return says(text === "Hello" || text.startsWith("answer") ? "all done" : `answer to ${text}`);
    });
    const numbered: Tool = { ...ask, run: ({ n }, context) => context.ask({ prompt: `question ${n}` }) };
    const result = await world.run({ tools: [numbered], retry: world.strategy(100, 200, 300) });
    expect(result.messages.filter(({ role }) => role === "tool")).toMatchObject([
      { toolCallId: "a", content: "answer to question 1" },
      { toolCallId: "b", content: "answer to question 2" },
    ]);
    const waits = world.event("provider-retry");
    expect(waits.filter(({ toolCallId }) => toolCallId === "a").map(({ attempt }) => attempt)).toEqual([0, 1, 2]);
    expect(waits.filter(({ toolCallId }) => toolCallId === "b").map(({ attempt }) => attempt)).toEqual([0]);
    for (const { toolCallId, message } of waits)
      expect(message).toContain(toolCallId === "a" ? "question 1" : "question 2");
    // Side by side: as long as the longer one, not as both together.
    expect(world.time.nowMs).toBe(600);
  });
});
