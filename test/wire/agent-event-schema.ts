import { z } from "zod";
import { FAILURE_KINDS, STOP_REASONS } from "../../src/kernel/index.ts";
import type { AgentEvent } from "../../src/wire/turn-event.ts";

const ids = { conversationId: z.string(), turnId: z.string() };
const error = { message: z.string(), code: z.string().exactOptional() };
const target = z.strictObject({ provider: z.string(), model: z.string(), credential: z.string() });
const milliseconds = z.number().nonnegative();

/** B4: what a generation went through. */
const receipt = z
  .strictObject({
    generationId: z.string(),
    complete: z.boolean(),
    truncated: z.boolean(),
    outcome: z.enum(["succeeded", "running", ...STOP_REASONS]),
    attempts: z.int().nonnegative(),
    waitedMs: milliseconds,
    patienceMs: milliseconds.nullable(),
    elapsedMs: milliseconds,
    targets: z.array(target),
    history: z.array(
      z.strictObject({
        attempt: z.int().positive(),
        target,
        kind: z.enum(FAILURE_KINDS).exactOptional(),
        status: z.int().exactOptional(),
        waitedMs: milliseconds.exactOptional(),
      }),
    ),
    warnings: z.array(z.string()),
  })
  .exactOptional();

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
    receipt,
  }),
  z.strictObject({ type: z.literal("error"), ...ids, ...error, receipt }),
  z.strictObject({
    type: z.literal("provider-retry"),
    ...ids,
    ...error,
    attempt: z.int().nonnegative(),
    delayMs: z.number().nonnegative(),
    retryAt: z.number().exactOptional(),
    toolCallId: z.string().exactOptional(),
    generationId: z.string().exactOptional(),
    maxRetries: z.int().nonnegative().nullable().exactOptional(),
  }),
  z.strictObject({ type: z.literal("done"), ...ids }),
  z.strictObject({ type: z.literal("turn-sealed"), ...ids, status: z.enum(["done", "error", "aborted"]), receipt }),
  z.strictObject({ type: z.literal("steering"), ...ids, content: z.string() }),
]) satisfies z.ZodType<AgentEvent>;
