import { describe, expect, test } from "vitest";
import { definePolicy, type GenerationEvent, MemoryHealth } from "../../src/kernel/index.ts";
import { defaultPolicy, patientPolicy } from "../../src/presets/index.ts";
import type { RunTurnInput, Tool, TurnEngine } from "../../src/turn/index.ts";
import { calls, emits, partly, says, throws } from "../support/scripted-provider.ts";
import { agentEventSchema } from "../wire/agent-event-schema.ts";
import { TurnWorld } from "./turns.ts";

function engineOf(world: TurnWorld, changes: Partial<TurnEngine> = {}): Pick<RunTurnInput, "engine"> {
  return {
    engine: {
      policy: patientPolicy(),
      targets: [{ provider: "acme", model: "large", credentials: ["a", "b"] }],
      providerOf: () => world.provider,
      health: new MemoryHealth(),
      ...changes,
    },
  };
}

const QUOTA = "HTTP 429: You exceeded your current quota, please check your plan and billing details.";

describe("a turn with a policy", () => {
  test("K5: waits as the patient policy says, with the same events as with a strategy", async () => {
    const world = new TurnWorld(emits(529), emits(500), says("there"));
    const result = await world.run(engineOf(world));
    expect(result.status).toBe("done");
    expect(world.types()).toEqual([
      "turn-start",
      "user-message",
      "provider-retry",
      "provider-retry",
      "text-delta",
      "usage",
      "step-complete",
      "done",
      "turn-sealed",
    ]);
    expect(world.event("provider-retry").map(({ delayMs }) => delayMs)).toEqual([5000, 10_000]);
    for (const event of world.events) expect(agentEventSchema.parse(event)).toEqual(event);
  });

  test("K2, K8: retries 429, every 5xx and thrown network errors, and ends at once with a 400", async () => {
    for (const status of [429, 500, 502, 503, 504, 529, 599]) {
      const world = new TurnWorld(emits(status), says("there"));
      expect([status, (await world.run(engineOf(world))).status]).toEqual([status, "done"]);
    }
    for (const thrown of [
      new Error("socket hang up"),
      new TypeError("fetch failed"),
      new Error("the cable was pulled"),
    ]) {
      const world = new TurnWorld(throws(thrown), says("there"));
      expect((await world.run(engineOf(world))).status).toBe("done");
    }
    const world = new TurnWorld(emits(400), says("never"));
    expect(await world.run(engineOf(world))).toMatchObject({ status: "error", error: "HTTP 400: {}" });
  });

  test("E17: tries another key at once where a quota is used up", async () => {
    const world = new TurnWorld(emits(429, QUOTA), says("there"));
    await world.run(engineOf(world));
    expect(world.provider.requests.map(({ credential }) => credential)).toEqual(["a", "b"]);
    expect(world.time.nowMs).toBe(0);
  });

  test("E17: a quota without an end on every key ends the turn at once where the policy does not wait for it", async () => {
    const world = new TurnWorld(emits(429, QUOTA));
    const result = await world.run(engineOf(world, { policy: defaultPolicy() }));
    expect(result).toMatchObject({ status: "error", error: QUOTA });
    expect(world.provider.requests).toHaveLength(2);
    expect(world.time.nowMs).toBe(0);
  });

  test("E17: the message names the model that has answered", async () => {
    const world = new TurnWorld(emits(401), says("there"));
    const targets = [
      { provider: "acme", model: "large", credentials: ["a"] },
      { provider: "acme", model: "small", credentials: ["a"] },
    ];
    const result = await world.run(engineOf(world, { targets }));
    expect(result.messages.at(-1)).toMatchObject({ model: "acme/small" });
    expect(world.event("turn-start")[0]?.model).toBe("acme/large");
  });

  test("K2: after content nothing is retried, even if the policy would start over", async () => {
    const policy = definePolicy({ afterContent: "restart" }, patientPolicy());
    const world = new TurnWorld(partly("Once", ...emits(503)), says("never"));
    expect((await world.run(engineOf(world, { policy }))).status).toBe("error");
    expect(world.provider.requests).toHaveLength(1);
  });

  test("E16: with required content an answer that lacks it is not shown, and is tried again", async () => {
    const policy = definePolicy({ require: { text: "42" } }, patientPolicy());
    const world = new TurnWorld(says("I do not know"), says("It is 42"));
    await world.run(engineOf(world, { policy }));
    expect(world.event("text-delta").map(({ text }) => text)).toEqual(["It is 42"]);
  });

  test("B4: the receipt is on the completed step, on the error and on the seal of an aborted step", async () => {
    const good = new TurnWorld(emits(503), says("there"));
    await good.run(engineOf(good));
    expect(good.event("step-complete")[0]?.receipt).toMatchObject({ complete: true, attempts: 2, waitedMs: 5000 });
    const bad = new TurnWorld(emits(400));
    await bad.run(engineOf(bad));
    expect(bad.event("error")[0]?.receipt).toMatchObject({ complete: false, outcome: "not-retryable", attempts: 1 });
    expect(bad.event("turn-sealed")[0]).not.toHaveProperty("receipt");
    const aborted = new TurnWorld(emits(503));
    const controller = new AbortController();
    const turn = aborted.start({ ...engineOf(aborted), signal: controller.signal });
    await aborted.time.advance(1000);
    controller.abort();
    await turn;
    expect(aborted.event("turn-sealed")[0]).toMatchObject({ status: "aborted", receipt: { outcome: "aborted" } });
  });

  test("K6: every generation can be watched: its events, its first content and its usage", async () => {
    const ask: Tool = {
      spec: { name: "ask", description: "", parameters: {} },
      run: (_, context) => context.ask({ prompt: "?" }),
    };
    const world = new TurnWorld(calls(["t1", "ask"]), says("from the tool"), says("done"));
    const log: string[] = [];
    const watch = (toolCallId = "step") => ({
      on: ({ type }: GenerationEvent) => void log.push(`${toolCallId} ${type}`),
      content: () => void log.push(`${toolCallId} content`),
      usage: () => void log.push(`${toolCallId} usage`),
    });
    await world.run({ ...engineOf(world, { watch }), tools: [ask] });
    const generation = ["attempt-start", "content", "usage", "attempt-end", "generation-end"];
    expect(log.filter((line) => line.startsWith("t1"))).toEqual(generation.map((type) => `t1 ${type}`));
    expect(log.slice(-5)).toEqual(generation.map((type) => `step ${type}`));
    expect(log.filter((line) => line === "step content")).toHaveLength(2);
  });
});

describe("a turn without a message", () => {
  test("K6: answers what the history ends with, and emits no user message", async () => {
    const world = new TurnWorld(says("there"));
    const history = [{ role: "user", content: "Hello?" }] as const;
    const noMessage: object = { message: undefined };
    const result = await world.run({ history, ...noMessage });
    expect(world.types().slice(0, 2)).toEqual(["turn-start", "text-delta"]);
    expect(world.provider.requests[0]?.messages).toEqual(history);
    expect(result.messages.map(({ role }) => role)).toEqual(["assistant"]);
  });
});

describe("recording", () => {
  test("K6: each message is recorded as soon as it is complete, and the model is told what was recorded", async () => {
    const echo: Tool = { spec: { name: "echo", description: "", parameters: {} }, run: () => "the secret" };
    const world = new TurnWorld(calls(["a", "echo"]), says("done"));
    const recorded: string[] = [];
    await world.run({
      tools: [echo],
      record: async (message) => {
        recorded.push(message.role);
        return message.role === "tool" ? { ...message, content: "***" } : message;
      },
    });
    expect(recorded).toEqual(["assistant", "tool", "assistant"]);
    expect(world.provider.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", content: "***" });
  });

  test("K6: a recorder that fails ends the turn as an error", async () => {
    const world = new TurnWorld(says("there"));
    const result = await world.run({ record: () => Promise.reject(new Error("disk full")) });
    expect(result).toMatchObject({ status: "error", error: "disk full" });
    expect(world.seals).toEqual(["error"]);
  });
});
