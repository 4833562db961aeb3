import { describe, expect, test } from "vitest";
import { patientStrategy, type Tool } from "../../src/turn/index.ts";
import { calls, emits, partly, says, throws } from "../support/scripted-provider.ts";
import { agentEventSchema } from "../wire/agent-event-schema.ts";
import { TurnWorld } from "./turns.ts";

const echo: Tool = {
  spec: { name: "echo", description: "says it again", parameters: { type: "object" } },
  run: ({ text }) => `echo: ${String(text)}`,
};

describe("a turn without trouble", () => {
  test("K6: emits its steps in order, each with both ids, and every event matches its schema", async () => {
    const world = new TurnWorld(
      [{ type: "reasoning", text: "Hm." }, ...calls(["a", "echo", { text: "x" }])],
      says("Good", " day"),
    );
    const result = await world.run({ tools: [echo] });
    expect(world.types()).toEqual([
      "turn-start",
      "user-message",
      "reasoning-delta",
      "tool-call",
      "tool-result",
      "step-complete",
      "text-delta",
      "text-delta",
      "usage",
      "step-complete",
      "done",
      "turn-sealed",
    ]);
    for (const event of world.events) {
      expect(event).toMatchObject({ conversationId: "c1", turnId: "t1" });
      expect(agentEventSchema.parse(event)).toEqual(event);
    }
    expect(result.status).toBe("done");
    expect(result.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(world.provider.requests[1]?.messages.at(-1)).toEqual({
      role: "tool",
      toolCallId: "a",
      toolName: "echo",
      content: "echo: x",
      isError: false,
    });
  });

  test("K6: steering messages are inserted between two steps, or start another step", async () => {
    const world = new TurnWorld(calls(["a", "echo"]), says("first"), says("second"));
    const steering = [["look here"], ["and there"], []];
    const takeSteering = () => steering.splice(0, 1)[0] ?? [];
    await world.run({ tools: [echo], takeSteering });
    expect(world.provider.requests).toHaveLength(3);
    expect(world.provider.requests[1]?.messages.at(-1)).toEqual({ role: "user", content: "look here" });
    expect(world.event("steering").map(({ content }) => content)).toEqual(["look here", "and there"]);
    expect(world.seals).toEqual(["done"]);
  });

  test("K6: a tool that throws and an unknown tool give a result marked as an error", async () => {
    const broken: Tool = {
      spec: { name: "broken", description: "", parameters: {} },
      run: () => {
        throw new Error("no such file");
      },
    };
    const world = new TurnWorld(calls(["a", "broken"], ["b", "missing"]), says("I see"));
    const result = await world.run({ tools: [broken] });
    expect(world.event("tool-result")).toMatchObject([
      { toolCallId: "a", isError: true, content: "no such file" },
      { toolCallId: "b", isError: true, content: "Unknown tool: missing" },
    ]);
    expect(result.messages.filter(({ role }) => role === "tool")).toHaveLength(2);
    expect(world.seals).toEqual(["done"]);
  });

  test("K6: calls of an answer that was cut at its length are not made", async () => {
    let made = 0;
    const count: Tool = { ...echo, run: () => String(++made) };
    const world = new TurnWorld(
      [...calls(["a", "echo"]).slice(0, 1), { type: "finish", reason: "length" }],
      says("well"),
    );
    await world.run({ tools: [count] });
    expect(made).toBe(0);
    expect(world.event("tool-result")).toMatchObject([{ isError: true }]);
  });

  test("K6: after the seal there is silence, whatever a tool has left running", async () => {
    const careless: Tool = {
      ...echo,
      run: (_, context) => {
        context.ask({ prompt: "left running" }).catch(() => undefined);
        return "done already";
      },
    };
    const world = new TurnWorld(({ messages }) => {
      if (messages.length === 1)
        return messages[0]?.role === "user" && messages[0].content === "Hello" ? calls(["a", "echo"]) : emits(503);
      return says("well");
    });
    await world.run({ tools: [careless], retry: world.strategy(100, 100) });
    const told = world.events.length;
    await world.time.advance(1000);
    expect(world.events).toHaveLength(told);
    expect(world.types().at(-1)).toBe("turn-sealed");
  });

  test("K6: a model that goes round in a circle is stopped", async () => {
    const world = new TurnWorld(calls(["a", "echo"]));
    const result = await world.run({ tools: [echo], maxSteps: 3 });
    expect(result).toMatchObject({ status: "error", error: "The turn took more than 3 steps" });
    expect(world.provider.requests).toHaveLength(3);
  });
});

describe("retries of a step", () => {
  test("K1: without a strategy nothing is retried", async () => {
    const world = new TurnWorld(emits(503), says("late"));
    const result = await world.run();
    expect(result).toMatchObject({ status: "error", error: "HTTP 503: {}" });
    expect(world.provider.requests).toHaveLength(1);
    expect(world.types()).toEqual(["turn-start", "user-message", "error", "turn-sealed"]);
  });

  test("K1: asks the strategy with 0, 1, 2 … and sleeps with its sleep", async () => {
    const world = new TurnWorld(emits(503), emits(429), emits(500), says("there"));
    const asked: number[] = [];
    const strategy = world.strategy(100, 200, 300);
    const delayFor = (attempt: number): number | undefined => {
      asked.push(attempt);
      return strategy.delayFor(attempt);
    };
    const result = await world.run({ retry: { ...strategy, delayFor } });
    expect(asked).toEqual([0, 1, 2]);
    expect(world.slept).toEqual([100, 200, 300]);
    expect(world.provider.startedAt).toEqual([0, 100, 300, 600]);
    expect(result.status).toBe("done");
  });

  test("K2: counter and content flag belong to the step", async () => {
    const world = new TurnWorld(emits(503), calls(["a", "echo"]), emits(503), emits(503), says("there"));
    await world.run({ tools: [echo], retry: world.strategy(1, 2, 3) });
    expect(world.event("provider-retry").map(({ attempt, delayMs }) => [attempt, delayMs])).toEqual([
      [0, 1],
      [0, 1],
      [1, 2],
    ]);
    expect(world.seals).toEqual(["done"]);
  });

  test.each([
    ["a plain error", new Error("the cable was pulled")],
    ["a string", "gone"],
    ["a network fault", Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNRESET" } })],
    ["an HTTP error of an SDK", Object.assign(new Error("busy"), { status: 503 })],
  ])("K2: %s that is thrown is retried", async (_, thrown) => {
    const world = new TurnWorld(throws(thrown), says("there"));
    expect((await world.run({ retry: world.strategy(5) })).status).toBe("done");
    expect(world.slept).toEqual([5]);
  });

  test.each([
    ["a bug in the program", new TypeError("x is not a function")],
    ["an abort", new DOMException("This operation was aborted", "AbortError")],
  ])("K2: %s that is thrown is not retried", async (_, thrown) => {
    const world = new TurnWorld(throws(thrown), says("never"));
    const result = await world.run({ retry: world.strategy(5) });
    expect(result.status).toBe("error");
    expect(world.provider.requests).toHaveLength(1);
    expect(world.seals).toEqual(["error"]);
  });

  test.each([
    ["a 400", { status: 400 }],
    ["a 503 without the flag", { status: 503 }],
    ["a 429 without the flag", { status: 429 }],
    ["one without a status", {}],
  ])("K2: %s that is emitted unflagged ends the step", async (_, facts) => {
    const world = new TurnWorld([{ type: "error", message: "no", retryable: false, ...facts }], says("never"));
    const result = await world.run({ retry: world.strategy(5) });
    expect(result).toMatchObject({ status: "error", error: "no" });
    expect(world.provider.requests).toHaveLength(1);
  });

  test.each([
    ["a quota", "You exceeded your current quota, please check your plan and billing details."],
    ["nonsense", "??"],
  ])("K2, K8: %s with the flag is retried: the emitter's word counts", async (_, message) => {
    const world = new TurnWorld(emits(429, message), says("there"));
    expect((await world.run({ retry: world.strategy(5) })).status).toBe("done");
  });

  test("K2: an error without the flag and without a status keeps the provider's own code, or has none", async () => {
    for (const code of ["missing_api_key", undefined]) {
      const error = { type: "error", message: "There is no key", retryable: false, ...(code && { code }) } as const;
      const world = new TurnWorld([error]);
      await world.run({ retry: world.strategy(5) });
      const told = world.events.flatMap((event) => (event.type === "error" ? [[event.message, event.code]] : []));
      expect(told).toEqual([["There is no key", code]]);
    }
  });

  test("K8: by what emitters flag, 429 and every 5xx is retried, and nothing else", async () => {
    for (let status = 400; status < 600; status += 1) {
      const world = new TurnWorld(emits(status), says("there"));
      const { status: end } = await world.run({ retry: world.strategy(1) });
      expect([status, end]).toEqual([status, status === 429 || status >= 500 ? "done" : "error"]);
    }
  });

  test("K2, E5: a context that is too long is not retried, whatever its retryable flag is", async () => {
    const world = new TurnWorld(
      emits(500, "HTTP 500: prompt is too long: 210000 tokens > 200000 maximum"),
      says("never"),
    );
    expect((await world.run({ retry: world.strategy(5) })).status).toBe("error");
    expect(world.provider.requests).toHaveLength(1);
  });

  test.each([
    ["emitted", emits(503)],
    ["thrown", throws(new Error("socket hang up"))],
  ])("K2: after content an error that is %s ends the step, and what was said stands", async (_, failure) => {
    const world = new TurnWorld(partly("Once upon", ...failure), says("never"));
    const result = await world.run({ retry: world.strategy(5) });
    expect(world.provider.requests).toHaveLength(1);
    expect(world.types()).toEqual(["turn-start", "user-message", "text-delta", "error", "turn-sealed"]);
    expect(result.messages.at(-1)).toMatchObject({
      role: "assistant",
      stopReason: "error",
      parts: [{ type: "text", text: "Once upon" }],
    });
  });

  test("K2: a stream that just ends is tried again, and keep-alives are no content", async () => {
    const world = new TurnWorld([{ type: "alive" }], [{ type: "alive" }, ...emits(529)], says("there"));
    expect((await world.run({ retry: world.strategy(5, 5) })).status).toBe("done");
    expect(world.slept).toEqual([5, 5]);
  });

  test("K3: before each sleep one event contains the verbatim failure and the end of the wait", async () => {
    const body = 'HTTP 429: {"error":{"message":"slow down","type":"rate_limit_error"}}';
    const world = new TurnWorld(emits(429, body), says("there"));
    const result = await world.run({ retry: world.strategy(5000) });
    expect(world.event("provider-retry")).toEqual([
      {
        type: "provider-retry",
        conversationId: "c1",
        turnId: "t1",
        attempt: 0,
        delayMs: 5000,
        message: body,
        code: "429",
        retryAt: Date.UTC(2026, 0, 1) + 5000,
      },
    ]);
    expect(JSON.stringify(result.messages)).not.toContain("slow down");
    expect(JSON.stringify(world.provider.requests)).not.toContain("slow down");
  });

  test("K3: a hint longer than the schedule is waited for", async () => {
    const world = new TurnWorld(emits(429, "HTTP 429", { "retry-after": "60" }), says("there"));
    await world.run({ retry: world.strategy(5000) });
    expect(world.slept).toEqual([60_000]);
  });

  test("K4: at the schedule's end the suppressed error goes out, and the turn seals", async () => {
    const world = new TurnWorld(emits(503, "HTTP 503: first"), emits(500, "HTTP 500: last"));
    const result = await world.run({ retry: world.strategy(10) });
    expect(world.types()).toEqual(["turn-start", "user-message", "provider-retry", "error", "turn-sealed"]);
    expect(world.event("error")).toMatchObject([{ message: "HTTP 500: last", code: "500" }]);
    expect(result.messages.at(-1)).toMatchObject({ stopReason: "error", errorMessage: "HTTP 500: last" });
    expect(world.seals).toEqual(["error"]);
  });

  test("K5: the patient strategy retries 21 times in 27,105 s, then reports why it stops", async () => {
    const world = new TurnWorld(emits(529, "HTTP 529: Overloaded"));
    const result = await world.run({ retry: patientStrategy(world.sleep) });
    expect(world.slept).toHaveLength(21);
    expect(world.time.nowMs).toBe(27_105_000);
    expect(result).toMatchObject({ status: "error", error: "HTTP 529: Overloaded" });
  });

  test("K1: a delay that makes no sense, and a sleep that fails, end the step with the provider's error", async () => {
    for (const retry of [
      { delayFor: () => Number.NaN, sleep: () => Promise.resolve() },
      { delayFor: () => 10, sleep: () => Promise.reject(new Error("no timer")) },
      {
        delayFor: () => 10,
        sleep: () => {
          throw new Error("no timer");
        },
      },
    ]) {
      const world = new TurnWorld(emits(503));
      const result = await world.run({ retry });
      expect(result).toMatchObject({ status: "error", error: "HTTP 503: {}" });
      expect(world.provider.requests).toHaveLength(1);
      expect(world.time.faults).toHaveLength(1);
    }
  });

  test("K6: a listener that throws does not disturb the turn", async () => {
    const world = new TurnWorld(emits(503), says("there"));
    const emit = (): void => {
      throw new Error("a broken listener");
    };
    expect((await world.run({ emit, retry: world.strategy(10) })).status).toBe("done");
  });
});
