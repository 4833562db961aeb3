import { z } from "zod";
import { FAILURE_KINDS, STOP_REASONS } from "../../src/kernel/index.ts";
import type { AgentEvent } from "../../src/wire/turn-event.ts";

const ids = { conversationId: z.string(), turnId: z.string() };
const error = {
  message: z.string().describe("the endpoint's error, verbatim"),
  code: z.string().exactOptional().describe("the HTTP status, or the provider's own code if there was none"),
};
const target = z.strictObject({ provider: z.string(), model: z.string(), credential: z.string() });
const milliseconds = z.number().nonnegative();

/** B4: what a generation went through. */
export const receiptSchema = z
  .strictObject({
    generationId: z.string(),
    complete: z.boolean().describe("the answer is whole"),
    truncated: z.boolean().describe("content was sent, but not to its end"),
    outcome: z.enum(["succeeded", "running", ...STOP_REASONS]),
    attempts: z.int().nonnegative(),
    calls: z
      .int()
      .nonnegative()
      .describe("`attempts`, and what failed attempts took in layers of Secondwind inside the call"),
    waitedMs: milliseconds.describe("the sum of all waits"),
    patienceMs: milliseconds.nullable().describe("the longest that the policy waits in all; null: no limit"),
    elapsedMs: milliseconds,
    targets: z.array(target).describe("each with `provider`, `model` and `credential`, an id that is no secret"),
    history: z
      .array(
        z.strictObject({
          attempt: z.int().positive(),
          target,
          kind: z.enum(FAILURE_KINDS).exactOptional(),
          status: z.int().exactOptional(),
          confidence: z.enum(["certain", "likely", "guess"]).exactOptional(),
          waitedMs: milliseconds.exactOptional(),
        }),
      )
      .describe(
        "the attempts, at most the last 50: `attempt`, `target`, and for a failed one `kind`, `status`, `confidence` (absent: certain), `waitedMs`",
      ),
    warnings: z.array(z.string()),
  })
  .describe("what the generation went through, see [receipt](#receipt)");

const receipt = receiptSchema.exactOptional();
const toolCall = { toolCallId: z.string(), toolName: z.string() };

/** K6: the events of a turn, to check what is really emitted: `AgentEvent` is a type only. */
export const agentEventSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("turn-start"),
    ...ids,
    model: z.string().describe("the model that is asked first, as `provider/model`"),
  }),
  z.strictObject({ type: z.literal("user-message"), ...ids, content: z.string().describe("what the user wrote") }),
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
    step: z.int().positive().describe("1, 2, 3 …"),
    finishReason: z.enum(["end", "tool-use", "length", "content-filter"]),
    receipt,
  }),
  z.strictObject({ type: z.literal("error"), ...ids, ...error, receipt }),
  z.strictObject({
    type: z.literal("provider-retry"),
    ...ids,
    ...error,
    attempt: z.int().nonnegative().describe("number of this retry in its step: 0, 1, 2 …"),
    delayMs: z.number().nonnegative().describe("length of the wait"),
    retryAt: z.number().exactOptional().describe("end of the wait in epoch milliseconds: count down to this"),
    toolCallId: z.string().exactOptional().describe("the tool call that waits; absent: the turn itself"),
    generationId: z
      .string()
      .exactOptional()
      .describe("names the wait in `POST /api/generations/:id/retry-now` and `give-up`"),
    maxRetries: z
      .int()
      .nonnegative()
      .nullable()
      .exactOptional()
      .describe("how many retries the schedule allows; null: no limit"),
  }),
  z.strictObject({ type: z.literal("done"), ...ids }),
  z.strictObject({ type: z.literal("turn-sealed"), ...ids, status: z.enum(["done", "error", "aborted"]), receipt }),
  z.strictObject({
    type: z.literal("steering"),
    ...ids,
    content: z.string().describe("what the user said while the turn was running"),
  }),
]) satisfies z.ZodType<AgentEvent>;
