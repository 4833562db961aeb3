import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../../src/store/index.ts";
import type { Message, Tool } from "../../../../src/turn/index.ts";
import { type Call, calls, emits, partly, ScriptedProvider, says, throws } from "../../../support/scripted-provider.ts";
import { until } from "../../../support/until.ts";
import { agentEventSchema } from "../../../wire/agent-event-schema.ts";
import { ChatWorld } from "./chat-world.ts";
import { startChat } from "./start-chat.ts";

describe("a turn", () => {
  test("K6: sends a message, streams its events and stores both messages", async () => {
    const world = new ChatWorld([says("Good", " day")]);
    const client = await world.ask("Hello,\n  world");
    expect(client.types).toEqual([
      "turn-start",
      "user-message",
      "text-delta",
      "text-delta",
      "usage",
      "step-complete",
      "done",
      "turn-sealed",
    ]);
    for (const event of client.events) expect(agentEventSchema.parse(event)).toEqual(event);
    const view = await world.service.open("c1");
    expect(view).toMatchObject({ title: "Hello, world", state: "idle", model: "acme/large", policy: "patient" });
    expect(view.lines).toMatchObject([
      { type: "message", message: { role: "user", content: "Hello,\n  world" } },
      { type: "message", message: { role: "assistant", stopReason: "end", model: "acme/large" } },
    ]);
    expect(new Set(view.lines.map((line) => line.type === "message" && line.turnId)).size).toBe(1);
    expect(world.activity.facts).toMatchObject([
      { door: "chat", conversationId: "c1", policy: "patient", asked: "acme/large" },
    ]);
    expect(world.activity.contents.length).toBeGreaterThan(0);
    expect(world.activity.usages).toEqual([5]);
  });

  test("K6: a second message in the same conversation goes with the history", async () => {
    const world = new ChatWorld([says("one"), says("two")]);
    await world.ask("first");
    await world.ask("second");
    expect(world.acme.requests[1]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  });
});

describe("what is stored", () => {
  /** For each end of a step that a client saw: what was on the disk. */
  async function storedAtEnds(script: readonly Call[], tools: readonly Tool[] = []): Promise<readonly string[][]> {
    const stored: string[] = [];
    let appends = 0;
    const { conversations } = memoryStore();
    const append: typeof conversations.append = async (id, entries) => {
      // A disk takes its time.
      await new Promise((resolve) => setTimeout(resolve, 20));
      appends += 1;
      for (const { type, data } of entries) stored.push(type === "message" ? (data as Message).role : type);
      return conversations.append(id, entries);
    };
    const slow = new Proxy(conversations, {
      get: (target, name) => {
        const value: unknown = name === "append" ? append : Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const more = [new ScriptedProvider("acme", script)];
    const { service } = await startChat({ conversations: slow, more, tools });
    const ends: string[][] = [];
    service.subscribe("c1", {
      hear: ({ type }) => {
        if (type === "step-complete" || type === "error") ends.push([...stored]);
      },
    });
    await service.send({ conversationId: "c1", message: "Hello", model: "acme/large" });
    await until(() => service.running === 0);
    expect(stored.at(-1)).toBe("turn_end");
    // The question, then at most one for each step: the last step is stored together with the end of the turn.
    expect(appends).toBeLessThanOrEqual(ends.length + 1);
    return ends;
  }

  test("K6: the messages of a step are stored before its step-complete goes out", async () => {
    const time: Tool = { spec: { name: "time", description: "", parameters: {} }, run: () => "noon" };
    const [first, second] = await storedAtEnds([calls(["t1", "time"]), says("It is noon")], [time]);
    expect(first?.slice(0, 4)).toEqual(["turn", "user", "assistant", "tool"]);
    expect(second).toEqual(["turn", "user", "assistant", "tool", "assistant", "turn_end"]);
  });

  test("K4: the final error is stored before its event goes out", async () => {
    expect(await storedAtEnds([emits(400)])).toEqual([["turn", "user", "assistant", "turn_end"]]);
  });
});

describe("retries", () => {
  test("K5: retries 429, 5xx and thrown network errors on the patient schedule", async () => {
    const broken = Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNRESET" } });
    const world = new ChatWorld([emits(529), emits(429), throws(broken), says("there")]);
    const client = await world.ask("Hello");
    expect(
      client.of("provider-retry").map(({ attempt, delayMs, maxRetries }) => [attempt, delayMs, maxRetries]),
    ).toEqual([
      [0, 5000, 21],
      [1, 10_000, 21],
      [2, 30_000, 21],
    ]);
    expect(client.of("step-complete")[0]?.receipt).toMatchObject({ complete: true, attempts: 4, waitedMs: 45_000 });
    expect(client.text).toBe("there");
  });

  test("K2: after content nothing is retried, and the turn fails with what was said stored", async () => {
    const world = new ChatWorld([partly("Once", ...emits(503)), says("never")]);
    const client = await world.ask("Hello");
    expect(client.types.slice(-2)).toEqual(["error", "turn-sealed"]);
    expect(client.of("error")[0]?.receipt).toMatchObject({ truncated: true, outcome: "already-streaming" });
    const view = await world.service.open("c1");
    expect(view.state).toBe("failed");
    expect(view.lines.at(-1)).toMatchObject({ message: { stopReason: "error", parts: [{ text: "Once" }] } });
  });

  test("E17: uses every key and then the fallback chain, and stores the change of the model", async () => {
    const quota = emits(429, "HTTP 429: You exceeded your current quota, please check your plan and billing details.");
    const world = new ChatWorld([quota, quota, says("late")], {
      keys: ["key#1", "key#2"],
      other: [says("from the other")],
      chains: { default: ["acme/large", "other/small"] },
    });
    const client = await world.ask("Hello");
    expect(client.text).toBe("from the other");
    expect(world.acme.requests.map(({ credential }) => credential)).toEqual(["key#1", "key#2"]);
    const view = await world.service.open("c1");
    expect(view.lines.map(({ type }) => type)).toEqual(["message", "model-change", "message"]);
    expect(view.lines[1]).toMatchObject({ from: "acme/large", to: "other/small", reason: "fallback" });
    expect(view.lines[2]).toMatchObject({ message: { model: "other/small" } });
    expect(view.model).toBe("acme/large");
  });
});

describe("tools", () => {
  test("K6: tool calls and their results are stored one by one", async () => {
    const echo = { spec: { name: "echo", description: "", parameters: {} }, run: () => "echoed" };
    const world = new ChatWorld([calls(["a", "echo"]), says("done")], { tools: [echo] });
    await world.ask("Hello");
    const view = await world.service.open("c1");
    expect(view.lines.map((line) => line.type === "message" && line.message.role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
    ]);
  });
});
