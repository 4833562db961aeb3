import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Provider, ProviderEvent } from "../../src/providers/provider.ts";
import type { Tool } from "../../src/turn/index.ts";
import { calls, emits, type Piece, partly, says } from "../support/scripted-provider.ts";
import { SessionWorld } from "./sessions.ts";

/** A provider whose every event comes when the scheduler lets it. */
class RacingProvider implements Provider {
  readonly name: string;
  calls = 0;
  readonly #script: readonly (readonly Piece[])[];
  readonly #scheduler: fc.Scheduler;

  constructor(name: string, script: readonly (readonly Piece[])[], scheduler: fc.Scheduler) {
    this.name = name;
    this.#script = script;
    this.#scheduler = scheduler;
  }

  async *stream(_: unknown, signal: AbortSignal): AsyncGenerator<ProviderEvent> {
    const pieces = this.#script[Math.min(this.calls++, this.#script.length - 1)] ?? [];
    for (const piece of pieces) {
      await this.#scheduler.schedule(Promise.resolve(), `${this.name} ${piece.type}`);
      if (signal.aborted) return;
      yield piece as ProviderEvent;
    }
  }
}

const ask: Tool = {
  spec: { name: "ask", description: "", parameters: {} },
  run: (_, context) => context.ask({ prompt: "And?" }),
};

describe("races", () => {
  test("S8, C11: an abort among writes, tokens and tools in any order ends everything once, and every emitted message was stored", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.boolean(), async (scheduler, isAborted) => {
        const world = new SessionWorld();
        world.settings = { fallbackChains: { default: ["acme/large", "other/big"] } };
        world.conversations.gate = () => scheduler.schedule(Promise.resolve(), "write");
        const acme = new RacingProvider("acme", [partly("Half", ...emits(503))], scheduler);
        const other = new RacingProvider(
          "other",
          [calls(["a", "ask"], ["b", "ask"]), says("one"), says("two"), says("all")],
          scheduler,
        );
        const providers = new Map(
          [acme, other].map((provider) => [provider.name, { provider, credentials: ["key-1"] }]),
        );
        const session = await world.open({}, { providers, tools: [ask] });
        const unwritten: string[] = [];
        let ends = 0;
        session.subscribe((event) => {
          if (event.type === "message_end" && ++ends > world.kept("message").length) unwritten.push(event.type);
        });
        const prompt = session.prompt("Hello");
        if (isAborted) void scheduler.schedule(Promise.resolve(), "abort").then(() => session.abort());
        const { status } = await scheduler.waitFor(prompt);
        await scheduler.waitAll();
        expect(status === "done" || (isAborted && status === "aborted")).toBe(true);
        expect(unwritten).toEqual([]);
        expect(world.event("agent_end")).toHaveLength(1);
        expect(world.types().at(-1)).toBe("agent_end");
        expect([session.isStreaming, session.isRetrying, session.retryAttempt]).toEqual([false, false, 0]);
        // Whatever was cut: a call has its result, so that the next request is not refused.
        const asked = session.messages.flatMap((message) => {
          return message.role === "assistant" ? message.parts.filter(({ type }) => type === "tool-call") : [];
        });
        expect(session.messages.filter(({ role }) => role === "tool")).toHaveLength(asked.length);
      }),
      { numRuns: 150 },
    );
  });
});
