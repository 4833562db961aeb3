import { z } from "zod";
import { selectorSchema, usageSchema } from "./message.ts";

/** What a turn tells, one JSON object each. They reach clients unchanged. */

const ids = {
  conversationId: z.string(),
  turnId: z.string(),
};

const codeSchema = z.string().describe("the HTTP status, else the provider's own code");

export const finishReasonSchema = z.enum(["end", "tool-use", "length", "content-filter"]);

/** How a turn ends. */
export const turnStatusSchema = z.enum(["done", "error", "aborted"]);

/** Transient: for whoever looks on now. Never in the model's history, never kept as a message. */
export const providerRetrySchema = z.object({
  type: z.literal("provider-retry"),
  ...ids,
  attempt: z.int().nonnegative().describe("0-based number of this retry in its step"),
  delayMs: z.number().nonnegative(),
  message: z.string().describe("the endpoint's error, verbatim"),
  code: codeSchema.optional(),
  retryAt: z.number().optional().describe("epoch milliseconds: a page that joins late counts down right"),
  toolCallId: z.string().optional().describe("the tool call that waits; left out: the turn itself"),
});

export const turnEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("turn-start"), ...ids, model: selectorSchema }),
  z.object({ type: z.literal("user-message"), ...ids, content: z.string() }),
  z.object({ type: z.literal("text-delta"), ...ids, text: z.string() }),
  z.object({ type: z.literal("reasoning-delta"), ...ids, text: z.string() }),
  z.object({
    type: z.literal("tool-call"),
    ...ids,
    toolCallId: z.string(),
    toolName: z.string(),
    arguments: z.record(z.string(), z.unknown()),
  }),
  z.object({
    type: z.literal("tool-result"),
    ...ids,
    toolCallId: z.string(),
    toolName: z.string(),
    content: z.string(),
    isError: z.boolean(),
  }),
  z.object({ type: z.literal("usage"), ...ids, ...usageSchema.shape }),
  z.object({
    type: z.literal("step-complete"),
    ...ids,
    step: z.int().positive(),
    finishReason: finishReasonSchema,
  }),
  z.object({ type: z.literal("error"), ...ids, message: z.string(), code: codeSchema.optional() }),
  providerRetrySchema,
  z.object({ type: z.literal("done"), ...ids }),
  z.object({ type: z.literal("turn-sealed"), ...ids, status: turnStatusSchema }),
  z.object({ type: z.literal("steering"), ...ids, content: z.string() }),
]);

export type TurnStatus = z.infer<typeof turnStatusSchema>;
export type ProviderRetry = Readonly<z.infer<typeof providerRetrySchema>>;
export type TurnEvent = Readonly<z.infer<typeof turnEventSchema>>;
