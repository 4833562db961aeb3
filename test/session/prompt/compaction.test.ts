import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitContext } from "../../../src/session/prompt/compaction.ts";
import type { Tool } from "../../../src/turn/index.ts";
import type { Message } from "../../../src/wire/index.ts";
import { calls, emits, partly, says } from "../../support/scripted-provider.ts";
import { SessionWorld } from "../sessions.ts";

const OVERFLOW = emits(400, "HTTP 400: prompt is too long: 210000 tokens > 200000 maximum");
const content = ({ content: text }: { content?: string }): string => text ?? "";

async function talked(world: SessionWorld, options = {}, changes = {}) {
  const session = await world.open(options, changes);
  await world.time.until(session.prompt("First"));
  await world.time.until(session.prompt("Second"));
  world.events.length = 0;
  return session;
}

describe("compaction", () => {
  test("S3: an overflow is handed to compaction, and the turn continues with the compacted context", async () => {
    const world = new SessionWorld();
    world.settings = { fallbackChains: { small: ["mini/one"] } };
    const acme = world.provider("acme", [says("one"), says("two"), OVERFLOW, says("three")]);
    const mini = world.provider("mini", [says("They said hello twice.")]);
    const session = await talked(world);
    expect(await world.time.until(session.prompt("Third"))).toEqual({ status: "done" });
    expect(world.time.nowMs).toBe(0);
    expect(world.retries()).toMatchObject([]);
    expect(world.types()).toEqual([
      "agent_start",
      ...["message_start", "message_end"],
      ...["message_start", "message_end"],
      "compaction_start",
      "compaction_end",
      ...["message_start", "message_delta", "message_end"],
      "agent_end",
    ]);
    expect(mini.requests).toHaveLength(1);
    const sent = acme.requests.at(-1)?.messages ?? [];
    expect(content(sent[0] as never)).toBe("Summary of the conversation so far:\n\nThey said hello twice.");
    expect(content(sent.at(-1) as never)).toBe("Third");
    expect(sent.length).toBeLessThan(acme.requests.at(-2)?.messages.length ?? 0);
    expect(JSON.stringify(sent)).not.toContain("First");
  });

  test("S3: even where status and text look transient, an overflow is no retry", async () => {
    const world = new SessionWorld();
    const provider = world.provider("acme", [
      says("one"),
      says("two"),
      emits(500, "HTTP 500: Internal server error: the input length exceeds the context length of 8192 tokens"),
      says("a summary"),
      says("there"),
    ]);
    const session = await talked(world);
    expect((await world.time.until(session.prompt("Third"))).status).toBe("done");
    expect(provider.startedAt.at(-1)).toBe(0);
    expect(world.event("compaction_start")).toEqual([{ type: "compaction_start", reason: "overflow" }]);
  });

  test("S3: an overflow right after a compaction ends the prompt instead of going round", async () => {
    const world = new SessionWorld();
    world.provider("acme", [says("one"), says("two"), OVERFLOW, says("a summary"), OVERFLOW]);
    const session = await talked(world);
    expect((await world.time.until(session.prompt("Third"))).status).toBe("error");
    expect(world.event("compaction_start")).toHaveLength(1);
  });

  test("S3: a compaction that fails leaves the context as it was, and the prompt fails with the overflow", async () => {
    const world = new SessionWorld();
    world.provider("acme", [says("one"), says("two"), OVERFLOW]);
    const compact = () => Promise.reject(new Error("no summary today"));
    const session = await talked(world, {}, { compact });
    const before = session.messages.length;
    expect((await world.time.until(session.prompt("Third"))).error).toContain("too long");
    expect(world.event("compaction_end")).toEqual([
      { type: "compaction_end", success: false, error: "no summary today" },
    ]);
    expect(session.messages).toHaveLength(before + 1);
  });

  test("S3: switched off, or with nothing to compact, the overflow is the prompt's end", async () => {
    const off = new SessionWorld();
    off.provider("acme", [says("one"), says("two"), OVERFLOW]);
    const session = await talked(off, { autoCompaction: false });
    expect(session.autoCompactionEnabled).toBe(false);
    expect((await off.time.until(session.prompt("Third"))).status).toBe("error");
    expect(off.event("compaction_start")).toEqual([]);
    const tiny = new SessionWorld();
    tiny.provider("acme", [OVERFLOW]);
    expect((await tiny.time.until((await tiny.open()).prompt("Much"))).status).toBe("error");
  });

  test("S3, C11: the summary has its own retries, emitted under its own name; abort ends it", async () => {
    const world = new SessionWorld();
    world.provider("acme", [says("one"), says("two"), OVERFLOW, emits(503), says("a summary"), says("three")]);
    const session = await talked(world);
    const prompt = session.prompt("Third");
    await world.time.advance(100);
    expect(session.isRetrying).toBe(true);
    expect((await world.time.until(prompt)).status).toBe("done");
    expect(world.retries()).toMatchObject([
      { type: "auto_retry_start", attempt: 1, origin: "compaction" },
      { type: "auto_retry_end", success: true, origin: "compaction" },
    ]);
    const hanging = new SessionWorld();
    hanging.provider("acme", [says("one"), says("two"), OVERFLOW, says("x")]);
    const stuck = await talked(hanging, {}, { compact: () => new Promise(() => undefined) });
    const aborted = stuck.prompt("Third");
    await hanging.time.settle();
    await stuck.abort();
    expect((await aborted).status).toBe("aborted");
    expect(hanging.event("compaction_end")).toMatchObject([{ success: false, error: "Aborted" }]);
  });

  test("S2: a nearly full context is compacted after the turn, unless that turn was retried", async () => {
    const full = [
      { type: "usage", inputTokens: 900, outputTokens: 5 } as const,
      { type: "finish", reason: "end" } as const,
    ];
    const world = new SessionWorld();
    world.provider("acme", [
      says("one"),
      emits(503),
      partly("two", ...full),
      partly("three", ...full),
      says("a summary"),
    ]);
    const session = await world.open({ contextWindowTokens: 1000 });
    await world.time.until(session.prompt("First"));
    await world.time.until(session.prompt("Second"));
    expect(world.event("auto_retry_end")).toHaveLength(1);
    expect(world.event("compaction_start")).toEqual([]);
    await world.time.until(session.prompt("Third"));
    expect(world.event("compaction_start")).toEqual([{ type: "compaction_start", reason: "threshold" }]);
  });

  test("S3: the cut never parts a tool's result from its call, and always takes something", () => {
    const message = fc.oneof(
      fc.record({ role: fc.constant("user" as const), content: fc.string({ maxLength: 200 }) }),
      fc.record({
        role: fc.constant("tool" as const),
        toolCallId: fc.constant("a"),
        toolName: fc.constant("t"),
        content: fc.string({ maxLength: 2000 }),
        isError: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), (context: Message[]) => {
        const split = splitContext(context);
        if (context.length < 2) {
          expect(split).toBeUndefined();
          return;
        }
        expect(split?.older.length).toBeGreaterThan(0);
        expect((split?.older.length ?? 0) + (split?.kept ?? 0)).toBe(context.length);
        expect(context[split?.older.length ?? 0]?.role).not.toBe("tool");
      }),
    );
  });
});

describe("taking up a conversation", () => {
  const echo: Tool = { spec: { name: "echo", description: "", parameters: {} }, run: () => "x" };

  test("S6: a reopened conversation has the same context: without errors, with compactions applied", async () => {
    const world = new SessionWorld();
    world.settings = { fallbackChains: { default: ["acme/large", "other/big"] } };
    world.provider("acme", [
      says("one"),
      calls(["a", "echo"]),
      says("two"),
      OVERFLOW,
      says("a summary"),
      says("three"),
      emits(503),
    ]);
    world.provider("other", [partly("half", ...emits(503)), says("four")]);
    const session = await world.open({}, { tools: [echo] });
    for (const text of ["First", "Second", "Third", "Fourth"]) await world.time.until(session.prompt(text));
    const again = await world.open({ model: undefined as never });
    expect(again.messages).toEqual(session.messages);
    expect(again.model).toBe("acme/large");
    expect(await world.conversations.get("c1")).toMatchObject({ title: "First" });
  });

  test("S6: a call that the end of the process left without a result gets one", async () => {
    const world = new SessionWorld();
    const provider = world.provider("acme", [says("well")]);
    await world.conversations.create({ id: "c1", title: "" });
    await world.conversations.append("c1", [
      { type: "message", data: { role: "user", content: "Hello" } },
      {
        type: "message",
        data: {
          role: "assistant",
          parts: [{ type: "tool-call", id: "a", name: "echo", arguments: {} }],
          model: "acme/large",
          stopReason: "tool-use",
        },
      },
      { type: "from_a_later_version", data: {} },
    ]);
    const session = await world.open();
    await world.time.until(session.prompt("Go on"));
    expect(provider.requests[0]?.messages[2]).toMatchObject({ role: "tool", toolCallId: "a", isError: true });
  });

  test("S8: a session needs a model from somewhere", async () => {
    const world = new SessionWorld();
    world.provider("acme", [says("x")]);
    await expect(world.open({ model: undefined as never })).rejects.toThrow("provider/model");
    world.settings = { fallbackChains: { default: ["acme/large"] } };
    expect((await world.open({ model: undefined as never, conversationId: "c2" })).model).toBe("acme/large");
  });
});

describe("a new conversation", () => {
  test("S6: is made with its first message, named after it, and has the model that was chosen before", async () => {
    const world = new SessionWorld();
    world.provider("acme", [says("x")]);
    const session = await world.open();
    expect(await world.conversations.list()).toEqual([]);
    await session.setModel("acme/small");
    expect(await world.conversations.list()).toEqual([]);
    await world.time.until(session.prompt(`  What\n is ${"very ".repeat(20)}long?`));
    const { title = "" } = (await world.conversations.get("c1")) ?? {};
    expect(title).toBe(`What is ${"very ".repeat(9)}very…`);
    expect(world.kept().map(({ type }) => type)).toEqual(["model_change", "message", "message"]);
  });
});

describe("steering while the context is compacted", () => {
  test("S2: is heard after it", async () => {
    const world = new SessionWorld();
    const full = [
      { type: "usage", inputTokens: 900, outputTokens: 5 } as const,
      { type: "finish", reason: "end" } as const,
    ];
    const provider = world.provider("acme", [partly("one", ...full), says("two")]);
    let finish: (summary: string) => void = () => undefined;
    const compact = () => new Promise<string>((resolve) => (finish = resolve));
    const session = await world.open({ contextWindowTokens: 1000 }, { compact });
    const prompt = session.prompt("Hello");
    await world.time.settle();
    expect(session.steer("One more thing")).toBe(true);
    finish("a summary");
    await world.time.until(prompt);
    expect(provider.requests[1]?.messages.at(-1)).toEqual({ role: "user", content: "One more thing" });
    expect(world.event("warning")).toEqual([]);
  });
});
