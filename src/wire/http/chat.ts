import { z } from "zod";
import { type Message, selectorSchema } from "../message.ts";
import type { AgentEvent } from "../turn-event.ts";
import type { ActivityMessage } from "./activity.ts";

/** A message may be long, but a request has an end: the listener's limit on bodies is above this. */
const MOST_CHARS = 1_000_000;

export const conversationIdSchema = z
  .string()
  .regex(/^[\w-]{1,64}$/, "must be 1 to 64 letters, digits, - or _")
  .describe("the conversation; a new one if absent");

const messageText = z.string().min(1).max(MOST_CHARS).describe("what the user writes");

/** What every turn may choose. Absent: as the conversation's last turn, else the server's settings. */
const turnChoice = {
  model: selectorSchema.optional().describe("`provider/model`"),
  policy: z.string().min(1).max(64).optional().describe("name of a preset or of an own policy"),
};

/** K6: `POST /chat`, and `chat.send` on the WebSocket. */
export const chatRequestSchema = z.object({
  conversationId: conversationIdSchema.optional(),
  message: messageText,
  ...turnChoice,
});
export type ChatRequest = Readonly<z.infer<typeof chatRequestSchema>>;

/** Goes on with a turn that was interrupted or has failed: the last message is answered again, nothing is added before. */
export const continueRequestSchema = z.object(turnChoice);
export type ContinueRequest = Readonly<z.infer<typeof continueRequestSchema>>;

/** Edits a message of the user and sends it again: what followed it leaves the conversation. */
export const resendRequestSchema = z.object({
  seq: z.int().positive().describe("`seq` of the message that is replaced"),
  message: messageText,
  ...turnChoice,
});
export type ResendRequest = Readonly<z.infer<typeof resendRequestSchema>>;

export const steerRequestSchema = z.object({ content: messageText });
export const renameRequestSchema = z.object({ title: z.string().trim().min(1).max(200) });

/** K6: what a client sends on the WebSocket. */
export const socketRequestSchema = z.discriminatedUnion("type", [
  chatRequestSchema.extend({ type: z.literal("chat.send") }),
  z.object({ type: z.literal("chat.subscribe"), conversationId: conversationIdSchema }),
  z.object({ type: z.literal("chat.unsubscribe"), conversationId: conversationIdSchema }),
  z.object({ type: z.literal("chat.abort"), conversationId: conversationIdSchema }),
  z.object({ type: z.literal("chat.steer"), conversationId: conversationIdSchema, content: messageText }),
  z.object({ type: z.literal("activity.subscribe") }),
  z.object({ type: z.literal("activity.unsubscribe") }),
]);
export type SocketRequest = Readonly<z.infer<typeof socketRequestSchema>>;

/** K6: what a client gets. */
export type SocketMessage =
  | { readonly type: "chat.delta"; readonly event: AgentEvent }
  | { readonly type: "chat.error"; readonly message: string; readonly conversationId?: string }
  | ActivityMessage;

/** How a conversation stands. `interrupted`: its process ended in the middle of a turn; `failed`: its last turn ended in an error. */
export type ConversationState = "idle" | "running" | "waiting" | "failed" | "aborted" | "interrupted";

export interface ConversationSummary {
  readonly id: string;
  readonly title: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly state: ConversationState;
  /** While it waits: epoch ms of the next attempt. */
  readonly retryAt?: number;
}

/** One line of a conversation as it is stored. `seq` names it in `resend`. */
export type ConversationLine =
  | {
      readonly type: "message";
      readonly seq: number;
      readonly at: number;
      readonly turnId?: string;
      readonly message: Message;
    }
  | {
      readonly type: "model-change";
      readonly seq: number;
      readonly at: number;
      readonly from: string;
      readonly to: string;
      readonly reason: string;
    }
  | { readonly type: "compaction"; readonly seq: number; readonly at: number };

export interface ConversationView extends ConversationSummary {
  readonly lines: readonly ConversationLine[];
  /** Of the last turn. */
  readonly model?: string;
  readonly policy?: string;
  /** The turn under way: `chat.subscribe` replays it from its first event. */
  readonly turnId?: string;
}
