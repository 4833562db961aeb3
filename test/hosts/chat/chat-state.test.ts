import { describe, expect, test } from "vitest";
import { sayInfo } from "../../../src/hosts/chat/commands/say-info.ts";
import { layoutStatus } from "../../../src/hosts/chat/layout/layout-status.ts";
import { type ChatState, healthOf, keyContextOf, reduce } from "../../../src/hosts/chat/state/chat-state.ts";
import { itemsOfHistory } from "../../../src/hosts/chat/state/items-of-history.ts";
import { loaderText, reasonText, shownWaits } from "../../../src/hosts/chat/state/wait.ts";
import { NO_RETRIES } from "../../../src/session/index.ts";
import type { AssistantMessage, SessionEvent } from "../../../src/wire/index.ts";
import { end, freshState, hear, start, told } from "./states.ts";

const loaders = (state: ChatState): readonly string[] =>
  shownWaits(state.waits, state.nowMs).map((wait) => loaderText(wait, state.nowMs));

const at = (state: ChatState, atMs: number): ChatState => reduce(state, { type: "tick", atMs, cooling: {} });

const failing: AssistantMessage = {
  role: "assistant",
  parts: [],
  model: "acme/large",
  stopReason: "error",
  errorMessage: "HTTP 503: down",
};

const failed = (id: string): SessionEvent[] => [
  { type: "message_start", messageId: id, role: "assistant" },
  { type: "message_end", messageId: id, message: failing },
];

describe("chat state", () => {
  test("S10: the loader counts down by the second and disappears when the wait is over", () => {
    const state = hear(freshState(), 1000, { type: "agent_start" }, start(1, 4000));
    expect(loaders(state)).toEqual(["Retrying (1/3) in 4s… (esc to cancel)"]);
    expect(loaders(at(state, 1001))).toEqual(["Retrying (1/3) in 4s… (esc to cancel)"]);
    expect(loaders(at(state, 2000))).toEqual(["Retrying (1/3) in 3s… (esc to cancel)"]);
    expect(loaders(at(state, 4999))).toEqual(["Retrying (1/3) in 1s… (esc to cancel)"]);
    expect(loaders(at(state, 5000))).toEqual([]);
    expect([keyContextOf(at(state, 4999)).isWaiting, keyContextOf(at(state, 5000)).isWaiting]).toEqual([true, false]);
  });

  test("S10: below the loader stands the reason, with the patience where the policy has one", () => {
    const reasons = (state: ChatState) => state.waits.map((wait) => reasonText(wait, state.nowMs));
    const plain = hear(freshState(), 1000, { type: "agent_start" }, start(1, 4000));
    expect(reasons(plain)).toEqual(["503 Service Unavailable"]);
    const patient = hear(freshState(), 1000, start(3, 12_000, { waitedMs: 48_000, patienceMs: 300_000 }));
    expect(reasons(patient)).toEqual(["waited 48 s of 5 min · 503 Service Unavailable"]);
    expect(reasons(at(patient, 3500))).toEqual(["waited 50 s of 5 min · 503 Service Unavailable"]);
    const noRoom = { kind: "overloaded", status: undefined, evidence: "health:budget", heldBack: true };
    const waiting = hear(freshState(), 1000, start(3, 900, { ...noRoom, errorMessage: "Waiting for room to retry" }));
    expect(reasons(waiting)).toEqual(["Waiting for room to retry"]);
  });

  test("S10: the loader shows ∞ for unlimited retries", () => {
    const state = hear(freshState(), 0, start(7, 2000, { maxAttempts: null }));
    expect(loaders(state)).toEqual(["Retrying (7/∞) in 2s… (esc to cancel)"]);
  });

  test("S10: failed retries show one notice, with the number of attempts and the provider's message", () => {
    const state = hear(
      freshState(),
      0,
      { type: "agent_start" },
      ...failed("a1"),
      { type: "message_discard", messageId: "a1" },
      start(1, 2000),
      ...failed("a2"),
      end({ success: false, attempt: 3, finalError: "HTTP 503: down" }),
      { type: "agent_end", status: "error", error: "HTTP 503: down" },
    );
    expect(told(state)).toEqual(["notice: Retry failed after 3 attempts: HTTP 503: down"]);
    expect([state.isBusy, loaders(state)]).toEqual([false, []]);
  });

  test("S10: the text of a failed answer stays after its retries have failed", () => {
    const partly: AssistantMessage = { ...failing, parts: [{ type: "text", text: "Once upon" }] };
    const state = hear(
      freshState(),
      0,
      { type: "message_start", messageId: "a1", role: "assistant" },
      { type: "message_end", messageId: "a1", message: partly },
      end({ success: false, attempt: 1, finalError: "Retry cancelled" }),
    );
    expect(told(state)).toEqual(["assistant: Once upon", "notice: Retry failed after 1 attempts: Retry cancelled"]);
  });

  test("S10: a failure that is not retried is shown too", () => {
    const state = hear(
      freshState(),
      0,
      { type: "agent_start" },
      { type: "agent_end", status: "error", error: "HTTP 401" },
    );
    expect(told(state)).toEqual(["notice: HTTP 401"]);
  });

  test("S10: switching to another model or key adds one line and no loader", () => {
    const from = "acme/large";
    const to = "other/small";
    const moved = hear(
      freshState(),
      0,
      { type: "model_change", from, to, role: "default", reason: "fallback" },
      { type: "retry_fallback_applied", from, to, role: "default" },
      start(1, 0),
      { type: "retry_fallback_succeeded", model: to, role: "default" },
    );
    expect(told(moved)).toEqual(["notice: Switched to other/small from acme/large", "notice: other/small answers now"]);
    expect(moved.model).toBe(to);
    const rotated = hear(freshState(), 0, start(1, 0));
    expect(told(rotated)).toEqual(["notice: Trying another key of acme (1/3): 503 Service Unavailable"]);
    expect([loaders(moved), loaders(rotated)]).toEqual([[], []]);
  });

  test("C11: parallel retries of tool calls have separate loaders", () => {
    const state = hear(freshState(), 0, start(1, 2000, { origin: "t1" }), start(2, 5000, { origin: "t2" }));
    expect(loaders(state)).toHaveLength(2);
    const ended = hear(state, 0, end({ success: true, attempt: 1, origin: "t1" }));
    expect(loaders(ended)).toEqual(["Retrying (2/3) in 5s… (esc to cancel)"]);
  });

  test("S6: a discarded message leaves the screen", () => {
    const state = hear(
      freshState(),
      0,
      { type: "message_start", messageId: "a1", role: "assistant" },
      { type: "message_delta", messageId: "a1", kind: "text", delta: "Wrong" },
      { type: "message_discard", messageId: "a1" },
    );
    expect(told(state)).toEqual([]);
  });

  test("C7: /info shows retries, success, mean time and statuses", () => {
    const retries = {
      ...{ generations: 9, retries: 3, retried: 2, recovered: 1, cancelled: 1, waitedMs: 8000, retryingMs: 8000 },
      statuses: {
        401: { failures: 1, retries: 0, worked: 0 },
        429: { failures: 1, retries: 1, worked: 1 },
        503: { failures: 2, retries: 1, worked: 0 },
        stalled: { failures: 1, retries: 1, worked: 0 },
      },
    };
    const info = sayInfo({ ...freshState(), retries }, [
      { provider: "acme", endpoint: "chat", status: "503", successes: 1, failures: 3, meanWaitMs: 4000, isUsed: true },
    ]);
    expect(info).toContain("- acme chat 503: 25 % of 4 retries worked (after 4 s): waits × 1.10");
    expect(info).toContain("Retries: 3");
    expect(info).toContain("Success after retry: 50 % (1 of 2)");
    expect(info).toContain("Cancelled: 1");
    expect(info).toContain("Mean retry time: 2.7 s per retry, 4 s per exchange");
    expect(info).toContain("Status 503: 1 retry, 0 worked");
    expect(info).toContain("Status 429: 1 retry, 1 worked");
    expect(info).toContain("Stalled stream: 1 retry, 0 worked");
    expect(info).not.toContain("401");
  });

  test("S10: a provider may be named like a property of every object", () => {
    const model = "constructor/toString";
    const said: AssistantMessage = { ...failing, model, parts: [], stopReason: "end" };
    const state = hear(
      freshState(),
      0,
      { type: "message_start", messageId: "a", role: "assistant" },
      { type: "message_end", messageId: "a", message: said },
      start(1, 2000, { origin: "constructor" }),
    );
    expect(healthOf(state)).toEqual([{ name: "constructor", state: "ok", forMs: 0 }]);
    expect(loaders(state)).toHaveLength(1);
    const ended = hear(state, 1000, end({ success: true, attempt: 1, origin: "constructor" }));
    expect(loaders(ended)).toEqual([]);
  });

  test("S10: a narrow status line drops the help first, then words, then part of the model's name", () => {
    const busy: ChatState = {
      ...hear(freshState(), 0, ...[1, 2, 3].flatMap((attempt) => [...failed(`a${attempt}`), start(attempt, 0)])),
      retries: { ...NO_RETRIES, retries: 3 },
      model: "acme/claude-sonnet-5-5",
      tokens: { input: 1000, output: 23 },
    };
    const shown = (width: number): string =>
      layoutStatus(busy, width)
        .map(({ text }) => text)
        .join("");
    expect([70, 66, 58, 52, 39, 34, 24, 12, 10].map(shown)).toEqual([
      "acme/claude-sonnet-5-5 · failing · 3 retries · 1.0k in, 23 out · /help",
      "acme/claude-sonnet-5-5 · failing · 3 retries · 1.0k in, 23 out",
      "acme/claude-sonnet-5-5 · failing · 3 retries · ↑1.0k ↓23",
      "acme/claude-sonnet-5-5 · failing · ↻3 · ↑1.0k ↓23",
      "acme/claude… · failing · ↻3 · ↑1.0k ↓23",
      "acme/claude-sonnet… · failing · ↻3",
      "acme/cla… · failing · ↻3",
      "acme/claude…",
      "acme/clau…",
    ]);
  });

  test("S10: health shows the last outcome of each provider, and cooldowns", () => {
    const state = hear(freshState(), 0, ...failed("a1"));
    expect(healthOf(state)).toEqual([{ name: "acme", state: "failing", forMs: 0 }]);
    const cooling = reduce(state, { type: "tick", atMs: 1, cooling: { "acme/large": 3000 } });
    expect(healthOf(cooling)[0]).toEqual({ name: "acme/large", state: "cooling", forMs: 3000 });
  });

  test("S10: messages that the agent has not read go back into the input", () => {
    let state = hear(freshState(), 0, { type: "agent_start" });
    state = reduce(state, { type: "steered", text: "and the sea?" });
    const heard = hear(state, 0, { type: "steering", content: "and the sea?" }, { type: "agent_end", status: "done" });
    expect(heard.editor.text).toBe("");
    const unheard = hear(
      state,
      0,
      { type: "warning", code: "dropped", message: "Dropped before sending: and the sea?" },
      { type: "agent_end", status: "aborted" },
    );
    expect([unheard.editor.text, told(unheard)]).toEqual(["and the sea?", []]);
  });

  test("S6: a resumed conversation does not show answers that were retried", () => {
    const said = { role: "user", content: "Hello" } as const;
    const good: AssistantMessage = {
      role: "assistant",
      parts: [{ type: "text", text: "Hi" }],
      model: "a/b",
      stopReason: "end",
    };
    const entry = (data: AssistantMessage | typeof said) => ({ type: "message", data }) as const;
    const shown = itemsOfHistory([entry(said), entry(failing), entry(good), entry(said), entry(failing)]);
    expect(shown.map(({ kind }) => kind)).toEqual(["user", "assistant", "user", "assistant"]);
    expect(shown.at(-1)).toMatchObject({ remark: { tone: "error", text: "HTTP 503: down" } });
  });
});
