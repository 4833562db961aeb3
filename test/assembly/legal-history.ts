import { expect } from "vitest";
import { addEntry, type Context, readEntries } from "../../src/session/record/context.ts";
import type { Entry } from "../../src/store/index.ts";
import type { AssistantMessage, Message, SessionEvent } from "../../src/wire/index.ts";

export function textOf({ parts }: AssistantMessage): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

export function isAssistant(message: Message): message is AssistantMessage {
  return message.role === "assistant";
}

/** What the model would be told after these. */
export function contextOf(entries: readonly Entry[]): Context {
  return readEntries(entries).reduce<Context>(addEntry, []);
}

/**
 * What any provider would take: results right behind their calls, one for each, none without; no answer right behind an answer,
 * none before the first question.
 */
export function expectLegal(messages: readonly Message[]): void {
  let open: string[] = [];
  let before: Message["role"] | undefined;
  for (const message of messages) {
    if (message.role === "tool") {
      expect(open).toContain(message.toolCallId);
      open = open.filter((id) => id !== message.toolCallId);
    } else {
      expect(open).toEqual([]);
      if (message.role === "assistant") {
        expect(["user", "tool"]).toContain(before);
        open = message.parts.flatMap((part) => (part.type === "tool-call" ? [part.id] : []));
      }
    }
    before = message.role;
  }
  expect(open).toEqual([]);
}

/** What was shown piece by piece is what the message says in the end, for each message by itself. */
export function expectShownOnce(events: readonly SessionEvent[]): void {
  const shown = new Map<string, string>();
  for (const event of events) {
    if (event.type === "message_start") {
      expect(shown.has(event.messageId)).toBe(false);
      shown.set(event.messageId, "");
    }
    if (event.type === "message_delta" && event.kind === "text") {
      shown.set(event.messageId, `${shown.get(event.messageId)}${event.delta}`);
    }
    if (event.type === "message_end" && isAssistant(event.message)) {
      expect(shown.get(event.messageId)).toBe(textOf(event.message));
    }
  }
}
