import { describe, expect, test } from "vitest";
import type { JournalRecord, JournalStore } from "../../../src/store/store.ts";
import { emits, partly, says } from "../../support/scripted-provider.ts";
import { sessionEventSchema } from "../../wire/session-schemas.ts";
import { SessionWorld } from "../sessions.ts";

const QUOTA = "HTTP 429: You exceeded your current quota, please check your plan and billing details.";

describe("retries of a session", () => {
  test("S1, S7: three retries after 2, 4 and 8 seconds, each announced before its wait", async () => {
    const world = new SessionWorld();
    const provider = world.provider("acme", [emits(503, "HTTP 503: down"), emits(500), emits(529), says("there")]);
    const session = await world.open();
    expect(await world.time.until(session.prompt("Hello"))).toEqual({ status: "done" });
    expect(provider.startedAt).toEqual([0, 2000, 6000, 14_000]);
    const start = { type: "auto_retry_start", maxAttempts: 3, heldBack: false, provider: "acme" };
    const failed = (status: number, kind: string): object => ({ status, kind, evidence: `status:${status}` });
    expect(world.retries()).toEqual([
      { ...start, attempt: 1, delayMs: 2000, errorMessage: "HTTP 503: down", ...failed(503, "overloaded") },
      { ...start, attempt: 2, delayMs: 4000, errorMessage: "HTTP 500: {}", ...failed(500, "server") },
      { ...start, attempt: 3, delayMs: 8000, errorMessage: "HTTP 529: {}", ...failed(529, "overloaded") },
      { type: "auto_retry_end", success: true, attempt: 3, cancelled: false },
    ]);
    const starts = world.toldAt.filter((_, i) => world.types()[i] === "auto_retry_start");
    expect(starts).toEqual([0, 2000, 6000]);
  });

  test("S7: emits the events of a prompt in this order, and every event matches its schema", async () => {
    const world = new SessionWorld();
    world.provider("acme", [partly("Once", ...emits(503)), says("Twice")]);
    const session = await world.open();
    await world.time.until(session.prompt("Hello"));
    expect(world.types()).toEqual([
      "agent_start",
      "message_start",
      "message_end",
      "message_start",
      "message_delta",
      "message_end",
      "message_discard",
      "auto_retry_start",
      "message_start",
      "message_delta",
      "message_end",
      "auto_retry_end",
      "agent_end",
    ]);
    for (const event of world.events) expect(sessionEventSchema.parse(event)).toEqual(event);
    const [, shown] = world.event("message_start");
    expect(world.event("message_discard")).toEqual([{ type: "message_discard", messageId: shown?.messageId }]);
  });

  test("S4: on max the end event reports the last retry really made, and the counter is 0 again", async () => {
    const world = new SessionWorld();
    world.provider("acme", [emits(503, "HTTP 503: still down")]);
    const session = await world.open();
    const prompt = session.prompt("Hello");
    await world.time.advance(3000);
    expect([session.retryAttempt, session.isRetrying]).toEqual([2, true]);
    const result = await world.time.until(prompt);
    expect(result).toMatchObject({ status: "error", error: "HTTP 503: still down" });
    expect(world.retries().at(-1)).toMatchObject({
      type: "auto_retry_end",
      success: false,
      attempt: 3,
      finalError: "HTTP 503: still down",
    });
    expect(world.event("auto_retry_end")).toHaveLength(1);
    expect([session.retryAttempt, session.isRetrying]).toEqual([0, false]);
  });

  test("S4: a wait over the cap fails at once, with the provider's words, and resets the counter", async () => {
    const world = new SessionWorld();
    world.provider("acme", [emits(429, "HTTP 429: slow down", { "retry-after": "301" })]);
    const session = await world.open();
    const result = await world.time.until(session.prompt("Hello"));
    expect(world.time.nowMs).toBe(0);
    expect(result).toMatchObject({ status: "error", error: "HTTP 429: slow down" });
    expect(world.retries()).toMatchObject([
      { type: "auto_retry_end", success: false, attempt: 0, finalError: "HTTP 429: slow down" },
    ]);
    expect(session.retryAttempt).toBe(0);
  });

  test("S1: maxDelayMs of 0 means no cap", async () => {
    const world = new SessionWorld();
    world.settings = { maxDelayMs: 0 };
    world.provider("acme", [emits(429, "HTTP 429: slow down", { "retry-after": "3600" }), says("there")]);
    const session = await world.open();
    expect((await world.time.until(session.prompt("Hello"))).status).toBe("done");
    expect(world.time.nowMs).toBe(3_600_000);
  });

  test("S1: settings that are damaged in part keep the rest", async () => {
    const world = new SessionWorld();
    world.settings = { maxRetries: "many", baseDelayMs: 100, fallbackChains: ["acme/large"], extra: 1 };
    const provider = world.provider("acme", [emits(503)]);
    const session = await world.open();
    await world.time.until(session.prompt("Hello"));
    expect(provider.startedAt).toEqual([0, 100, 300, 700]);
  });

  test("S2: a permanent error is not retried, and no retry event is emitted", async () => {
    for (const status of [400, 401, 403, 404, 422]) {
      const world = new SessionWorld();
      const provider = world.provider("acme", [emits(status)]);
      const session = await world.open();
      expect((await world.time.until(session.prompt("Hello"))).status).toBe("error");
      expect(provider.requests).toHaveLength(1);
      expect(world.retries()).toMatchObject([]);
    }
  });

  test("S4: a retry that meets an error that does not pass ends the chain", async () => {
    const world = new SessionWorld();
    world.provider("acme", [emits(503), emits(400, "HTTP 400: no")]);
    const session = await world.open();
    await world.time.until(session.prompt("Hello"));
    expect(world.retries().at(-1)).toMatchObject({
      type: "auto_retry_end",
      success: false,
      attempt: 1,
      finalError: "HTTP 400: no",
    });
  });

  test("S8: switched off, nothing is retried; the setting is written", async () => {
    const world = new SessionWorld();
    const provider = world.provider("acme", [emits(503)]);
    const session = await world.open();
    expect(session.autoRetryEnabled).toBe(true);
    await session.setAutoRetryEnabled(false);
    expect(session.autoRetryEnabled).toBe(false);
    expect(world.written).toEqual([{ enabled: false }]);
    expect((await world.time.until(session.prompt("Hello"))).status).toBe("error");
    expect(provider.requests).toHaveLength(1);
    expect(world.retries()).toMatchObject([]);
  });

  test("S8: switched off during a wait, that retry still runs and the next failure is not retried", async () => {
    const world = new SessionWorld();
    const provider = world.provider("acme", [emits(503), emits(503, "HTTP 503: still down"), says("never")]);
    const session = await world.open();
    const prompt = session.prompt("Hello");
    await world.time.advance(500);
    await session.setAutoRetryEnabled(false);
    expect(await world.time.until(prompt)).toMatchObject({ status: "error", error: "HTTP 503: still down" });
    expect(provider.startedAt).toEqual([0, 2000]);
    expect(world.retries()).toMatchObject([
      { type: "auto_retry_start", attempt: 1 },
      { type: "auto_retry_end", success: false, attempt: 1, cancelled: false, finalError: "HTTP 503: still down" },
    ]);
  });

  test("S8: switched on while a call is under way, its failure is retried", async () => {
    const world = new SessionWorld();
    world.settings = { enabled: false };
    const provider = world.provider("acme", [[{ type: "pause", ms: 1000 }, ...emits(503)], says("there")]);
    const session = await world.open();
    const prompt = session.prompt("Hello");
    await world.time.advance(500);
    await session.setAutoRetryEnabled(true);
    expect(await world.time.until(prompt)).toEqual({ status: "done" });
    expect(provider.startedAt).toEqual([0, 3000]);
  });

  test("S11: a later retryable error starts a new chain", async () => {
    const world = new SessionWorld();
    world.provider("acme", [emits(503), says("one"), emits(529), emits(529), says("two")]);
    const session = await world.open();
    await world.time.until(session.prompt("First"));
    await world.time.until(session.prompt("Second"));
    expect(world.retries().map((event) => ("attempt" in event ? [event.type, event.attempt] : []))).toEqual([
      ["auto_retry_start", 1],
      ["auto_retry_end", 1],
      ["auto_retry_start", 1],
      ["auto_retry_start", 2],
      ["auto_retry_end", 2],
    ]);
  });

  test("S6: the failing message is stored with its partial text, and is not in the context of the retry", async () => {
    const world = new SessionWorld();
    const provider = world.provider("acme", [partly("Once", ...emits(503, "HTTP 503: down")), says("Twice")]);
    const session = await world.open();
    await world.time.until(session.prompt("Hello"));
    expect(world.kept("message").map(({ data }) => data)).toMatchObject([
      { role: "user", content: "Hello" },
      {
        role: "assistant",
        stopReason: "error",
        errorMessage: "HTTP 503: down",
        parts: [{ type: "text", text: "Once" }],
        model: "acme/large",
      },
      { role: "assistant", stopReason: "end", parts: [{ text: "Twice" }] },
    ]);
    expect(provider.requests[1]?.messages).toEqual([{ role: "user", content: "Hello" }]);
    expect(session.messages).toHaveLength(2);
  });

  test("S6: what is announced has been written, and the failing message before the next call", async () => {
    const world = new SessionWorld();
    const provider = world.provider("acme", [emits(503), says("there")]);
    const session = await world.open();
    const seen: [string, number][] = [];
    session.subscribe((event) => {
      if (event.type === "message_end") seen.push([event.message.role, world.kept("message").length]);
    });
    let open: () => void = () => undefined;
    world.conversations.gate = () =>
      new Promise((resolve) => {
        open = resolve;
      });
    const prompt = session.prompt("Hello");
    await world.time.advance(10_000);
    // The user's message is not on the disk yet: no call was made, nothing of it was announced.
    expect(provider.requests).toHaveLength(0);
    expect(world.types()).toEqual([]);
    world.conversations.gate = undefined;
    open();
    await world.time.until(prompt);
    expect(seen).toEqual([
      ["user", 1],
      ["assistant", 2],
      ["assistant", 3],
    ]);
  });

  test("S6: a store that fails is reported, and the conversation continues", async () => {
    const world = new SessionWorld();
    world.provider("acme", [says("there")]);
    const session = await world.open();
    world.conversations.fault = new Error("disk full");
    expect((await world.time.until(session.prompt("Hello"))).status).toBe("done");
    expect(world.event("warning")).toHaveLength(2);
    expect(world.time.faults.map(({ where }) => where)).toEqual(["conversation store", "conversation store"]);
  });

  test("S5: a used-up quota without another target is waited out, as long as the limit asks", async () => {
    const world = new SessionWorld();
    const provider = world.provider("acme", [emits(429, QUOTA, { "retry-after": "60" }), says("there")]);
    const session = await world.open();
    expect((await world.time.until(session.prompt("Hello"))).status).toBe("done");
    expect(provider.startedAt).toEqual([0, 60_000]);
  });
});

describe("the journal", () => {
  test("S6: each attempt is journaled as it ends; a journal that fails is reported and does not affect the prompt", async () => {
    const world = new SessionWorld();
    world.provider("acme", [[{ type: "pause", ms: 30 }, ...emits(503, "HTTP 503: down")], says("there")]);
    const records: JournalRecord[] = [];
    const journal: JournalStore = {
      add: async (record) => {
        records.push(record);
        throw new Error("disk full");
      },
      list: async () => [],
    };
    const session = await world.open({}, { journal });
    expect((await world.time.until(session.prompt("Hello"))).status).toBe("done");
    const target = { conversationId: "c1", provider: "acme", model: "large", credential: "key-1" };
    expect(records).toMatchObject([
      { ...target, attempt: 1, ok: false, status: 503, message: "HTTP 503: down", durationMs: 30, waitedMs: 0 },
      { ...target, attempt: 2, ok: true, durationMs: 0, waitedMs: 2000 },
    ]);
    expect(world.time.faults.map(({ where }) => where)).toEqual(["journal", "journal"]);
  });
});
