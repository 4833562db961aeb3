import { z } from "zod";
import type { AgentEvent } from "../../src/wire/turn-event.ts";

const ids = { conversationId: z.string(), turnId: z.string() };
const error = { message: z.string(), code: z.string().exactOptional() };
const toolCall = { toolCallId: z.string(), toolName: z.string() };

/** K6: the events of a turn, to check what is really emitted: `AgentEvent` is a type only. */
export const agentEventSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("turn-start"), ...ids, model: z.string() }),
  z.strictObject({ type: z.literal("user-message"), ...ids, content: z.string() }),
  z.strictObject({ type: z.literal("text-delta"), ...ids, text: z.string() }),
  z.strictObject({ type: z.literal("reasoning-delta"), ...ids, text: z.string() }),
  z.strictObject({ type: z.literal("tool-call"), ...ids, ...toolCall, arguments: z.record(z.string(), z.unknown()) }),
  z.strictObject({ type: z.literal("tool-result"), ...ids, ...toolCall, content: z.string(), isError: z.boolean() }),
  z.strictObject({
    type: z.literal("usage"),
    ...ids,
    inputTokens: z.int().nonnegative(),
    outputTokens: z.int().nonnegative(),
  }),
  z.strictObject({
    type: z.literal("step-complete"),
    ...ids,
    step: z.int().positive(),
    finishReason: z.enum(["end", "tool-use", "length", "content-filter"]),
  }),
  z.strictObject({ type: z.literal("error"), ...ids, ...error }),
  z.strictObject({
    type: z.literal("provider-retry"),
    ...ids,
    ...error,
    attempt: z.int().nonnegative(),
    delayMs: z.number().nonnegative(),
    retryAt: z.number().exactOptional(),
    toolCallId: z.string().exactOptional(),
  }),
  z.strictObject({ type: z.literal("done"), ...ids }),
  z.strictObject({ type: z.literal("turn-sealed"), ...ids, status: z.enum(["done", "error", "aborted"]) }),
  z.strictObject({ type: z.literal("steering"), ...ids, content: z.string() }),
]) satisfies z.ZodType<AgentEvent>;
