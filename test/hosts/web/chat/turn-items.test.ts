import { expect, test } from "vitest";
import { joinTurns } from "../../../../src/hosts/web/pages/chat/conversation/join-turns.ts";
import { placeSwitches } from "../../../../src/hosts/web/pages/chat/conversation/place-switches.ts";
import { storedTurns } from "../../../../src/hosts/web/pages/chat/conversation/stored-items.ts";
import { TurnItems } from "../../../../src/hosts/web/pages/chat/conversation/turn-items.ts";
import type { ActivityRecord } from "../../../../src/wire/http/activity.ts";
import type { ConversationLine } from "../../../../src/wire/http/chat.ts";
import type { AgentEvent } from "../../../../src/wire/turn-event.ts";

const IN = { conversationId: "c", turnId: "t" };
type Body = AgentEvent extends infer Event ? (Event extends AgentEvent ? Omit<Event, keyof typeof IN> : never) : never;

/** A turn after these events, one every 100 ms. */
function played(...events: readonly Body[]): TurnItems {
  const turn = new TurnItems("t");
  for (const [at, event] of events.entries()) turn.apply({ ...IN, ...event } as AgentEvent, at * 100);
  return turn;
}
const types = (turn: TurnItems): readonly string[] => turn.items.map(({ type }) => type);

const START: readonly Body[] = [
  { type: "turn-start", model: "sim/ok" },
  { type: "user-message", content: "hi" },
];
const WAIT: Body = { type: "provider-retry", attempt: 0, delayMs: 5000, message: "HTTP 529: x", code: "529" };

test("K6: a turn that thinks, calls a tool and answers shows each in its place", () => {
  const turn = played(
    ...START,
    { type: "reasoning-delta", text: "hm" },
    { type: "reasoning-delta", text: "m" },
    { type: "text-delta", text: "Let me " },
    { type: "text-delta", text: "look." },
    { type: "tool-call", toolCallId: "1", toolName: "read", arguments: { path: "a" } },
    { type: "tool-result", toolCallId: "1", toolName: "read", content: "text", isError: false },
    { type: "step-complete", step: 1, finishReason: "tool-use" },
    { type: "text-delta", text: "Done." },
    { type: "step-complete", step: 2, finishReason: "end" },
    { type: "done" },
    { type: "turn-sealed", status: "done" },
  );
  expect(types(turn)).toEqual(["user", "reasoning", "text", "tool", "end", "text", "end"]);
  expect(turn.items[1]).toMatchObject({ text: "hmm", isStreaming: false, ms: 200 });
  expect(turn.items[2]).toMatchObject({ text: "Let me look.", isStreaming: false });
  expect(turn.items[3]).toMatchObject({ name: "read", result: { content: "text", isError: false }, ms: 100 });
  expect(turn.status).toBe("done");
  expect(new Set(turn.items.map(({ key }) => key)).size).toBe(turn.items.length);
});

test("K7: one bubble shows all waits of a step, and goes when the answer begins", () => {
  const waiting = played(...START, WAIT);
  expect(types(waiting)).toEqual(["user", "wait"]);
  const again = played(...START, WAIT, { ...WAIT, attempt: 1, delayMs: 10_000 });
  expect(types(again)).toEqual(["user", "wait"]);
  expect(again.items[1]).toMatchObject({ key: waiting.items[1]?.key, event: { attempt: 1, delayMs: 10_000 } });
  expect(types(played(...START, WAIT, { type: "text-delta", text: "a" }))).toEqual(["user", "text"]);
});

test("K7: a final error replaces the bubble and keeps the text that was shown", () => {
  const early = played(
    ...START,
    WAIT,
    { type: "error", message: "HTTP 529: x", code: "529" },
    { type: "turn-sealed", status: "error" },
  );
  expect(types(early)).toEqual(["user", "error"]);
  expect(early.items[1]).toMatchObject({ message: "HTTP 529: x", code: "529", isAfterContent: false });
  const late = played(...START, { type: "text-delta", text: "half" }, { type: "error", message: "broken" });
  expect(types(late)).toEqual(["user", "text", "error"]);
  expect(late.items.at(-1)).toMatchObject({ isAfterContent: true });
});

test("K6: an aborted turn says so, and a steering message stands where it came", () => {
  const turn = played(
    ...START,
    { type: "steering", content: "also this" },
    { type: "text-delta", text: "a" },
    { type: "turn-sealed", status: "aborted" },
  );
  expect(types(turn)).toEqual(["user", "user", "text", "end"]);
  expect(turn.items[1]).toMatchObject({ text: "also this", isSteering: true });
  expect(turn.items.at(-1)).toMatchObject({ end: "aborted" });
});

test("K6: an event of a type that this page does not know changes nothing", () => {
  const turn = played(...START);
  const before = [...turn.items];
  turn.apply({ ...IN, type: "later" } as never, 0);
  expect(turn.items).toEqual(before);
});

const LINES: readonly ConversationLine[] = [
  { type: "message", seq: 1, at: 0, turnId: "t", message: { role: "user", content: "hi" } },
  {
    type: "message",
    seq: 2,
    at: 0,
    turnId: "t",
    message: {
      role: "assistant",
      model: "sim/ok",
      stopReason: "tool-use",
      parts: [
        { type: "reasoning", text: "hm" },
        { type: "tool-call", id: "1", name: "read", arguments: {} },
      ],
    },
  },
  {
    type: "message",
    seq: 3,
    at: 0,
    turnId: "t",
    message: { role: "tool", toolCallId: "1", toolName: "read", content: "x", isError: true },
  },
  { type: "message", seq: 4, at: 0, turnId: "t", message: { role: "user", content: "more" } },
  { type: "model-change", seq: 5, at: 0, from: "sim/ok", to: "sim/haiku", reason: "overloaded" },
  {
    type: "message",
    seq: 6,
    at: 0,
    turnId: "t",
    message: {
      role: "assistant",
      model: "sim/ok",
      stopReason: "error",
      errorMessage: "HTTP 500: x",
      parts: [{ type: "text", text: "half" }],
    },
  },
  { type: "message", seq: 7, at: 0, turnId: "u", message: { role: "user", content: "next" } },
  { type: "compaction", seq: 8, at: 0 },
];

test("K6: stored lines show the same things as the events did", () => {
  const [first, second] = storedTurns(LINES);
  expect(first?.items.map(({ type }) => type)).toEqual([
    "user",
    "reasoning",
    "tool",
    "end",
    "user",
    "model-change",
    "text",
    "error",
  ]);
  expect(first?.items[2]).toMatchObject({ result: { content: "x", isError: true } });
  expect(first?.items[4]).toMatchObject({ seq: 4, isSteering: true });
  expect(first?.items.at(-1)).toMatchObject({ message: "HTTP 500: x", isAfterContent: true });
  expect(second?.items.map(({ type }) => type)).toEqual(["user", "compaction"]);
  expect(second?.items[0]).toMatchObject({ isSteering: false });
});

test("K6: a turn that this page has seen stays as it is when it is stored, and its message gets its number", () => {
  const turn = played(...START, { type: "text-delta", text: "a" });
  const [before] = joinTurns([], [turn]);
  const after = joinTurns(storedTurns(LINES), [turn]);
  expect(after.map(({ turnId }) => turnId)).toEqual(["t", "u"]);
  expect(after[0]?.key).toBe(before?.key);
  expect(after[0]?.items[0]).toMatchObject({ seq: 1, key: before?.items[0]?.key });
  expect(after[0]?.items).toHaveLength(turn.items.length);
});

test("E13: lines about switched models stand before what the step wrote", () => {
  const target = { provider: "sim", model: "ok", credential: "1" };
  const attempts = [
    { attempt: 1, target, startedAt: 0, moved: "switch" as const, kind: "overloaded" as const },
    { attempt: 2, target: { ...target, model: "haiku" }, startedAt: 1 },
  ];
  const record = { id: "g", attempts } as unknown as ActivityRecord;
  const { items } = played(...START, { type: "text-delta", text: "a" });
  expect(placeSwitches(items, [record]).map(({ type }) => type)).toEqual(["user", "switches", "text"]);
  expect(placeSwitches(items, [])).toBe(items);
});
