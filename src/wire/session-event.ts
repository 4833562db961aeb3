import { z } from "zod";
import { FAILURE_KINDS } from "../kernel/index.ts";
import { messageSchema, selectorSchema } from "./message.ts";

/** What a session tells its subscribers, extensions and RPC clients. */

/** What is known of a failure, so that no client has to read it out of a text. */
export const failureFactsSchema = z.object({
  kind: z.enum(FAILURE_KINDS).describe("what went wrong"),
  status: z.int().optional().describe("the HTTP status"),
  code: z.string().optional().describe("the code of the provider or the system: `ECONNREFUSED`"),
  provider: z.string().optional(),
  evidence: z.string().describe("the rule that decided the kind; `health:…`: no call was made"),
});

export const roleSchema = z.string().min(1).describe("`default`, `small`, or a role of your own");

const origin = {
  origin: z
    .string()
    .optional()
    .describe("whose retry it is: a tool call's id, or `compaction`; left out: the prompt's own"),
};

export const retryStartSchema = z.object({
  type: z.literal("auto_retry_start"),
  attempt: z.int().positive().describe("1-based; no two starts of a chain have the same"),
  maxAttempts: z
    .int()
    .nonnegative()
    .nullable()
    .describe("how many there may be, waits for a cooldown or breaker so far included; null: without end"),
  delayMs: z.number().nonnegative().describe("0: another credential or model is tried at once"),
  errorMessage: z.string().describe("the provider's words, verbatim"),
  heldBack: z.boolean().describe("true: a wait for a cooldown or a breaker; it uses up no retry"),
  ...failureFactsSchema.shape,
  ...origin,
});

export const retryEndSchema = z.object({
  type: z.literal("auto_retry_end"),
  success: z.boolean(),
  attempt: z.int().nonnegative().describe("that of the last start; 0: there was none"),
  cancelled: z.boolean().describe("true: the user ended it"),
  finalError: z.string().optional().describe("the provider's words, or `Retry cancelled`"),
  ...failureFactsSchema.partial().shape,
  ...origin,
});

export const fallbackAppliedSchema = z.object({
  type: z.literal("retry_fallback_applied"),
  from: selectorSchema,
  to: selectorSchema,
  role: roleSchema,
  ...origin,
});

export const fallbackSucceededSchema = z.object({
  type: z.literal("retry_fallback_succeeded"),
  model: selectorSchema,
  role: roleSchema,
  ...origin,
});

export const modelChangeReasonSchema = z.enum(["chosen", "fallback", "restored"]);

export const modelChangeSchema = z.object({
  type: z.literal("model_change"),
  from: selectorSchema,
  to: selectorSchema,
  role: roleSchema,
  reason: modelChangeReasonSchema,
});

const messageId = z.string();

export const sessionEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("agent_start") }),
  z.object({
    type: z.literal("agent_end"),
    status: z.enum(["done", "error", "aborted"]),
    error: z.string().optional(),
    failure: failureFactsSchema
      .extend({ message: z.string().describe("the innermost message") })
      .optional()
      .describe("what is known of the error, if a provider or the engine reported it"),
  }),
  z.object({ type: z.literal("message_start"), messageId, role: z.enum(["user", "assistant", "tool"]) }),
  z.object({
    type: z.literal("message_delta"),
    messageId,
    kind: z.enum(["text", "reasoning"]),
    delta: z.string(),
  }),
  z.object({ type: z.literal("message_end"), messageId, message: messageSchema }),
  z.object({
    type: z.literal("message_discard"),
    messageId: messageId.describe("a failed attempt's: what was shown of it is taken back"),
  }),
  z.object({
    type: z.literal("tool_start"),
    toolCallId: z.string(),
    toolName: z.string(),
    arguments: z.record(z.string(), z.unknown()),
  }),
  z.object({
    type: z.literal("tool_end"),
    toolCallId: z.string(),
    toolName: z.string(),
    content: z.string(),
    isError: z.boolean(),
  }),
  z.object({ type: z.literal("steering"), content: z.string() }),
  z.object({ type: z.literal("compaction_start"), reason: z.enum(["overflow", "threshold"]) }),
  z.object({
    type: z.literal("compaction_end"),
    success: z.boolean(),
    summary: z.string().optional(),
    error: z.string().optional(),
  }),
  modelChangeSchema,
  retryStartSchema,
  retryEndSchema,
  fallbackAppliedSchema,
  fallbackSucceededSchema,
  z.object({
    type: z.literal("warning"),
    message: z.string(),
    code: z.enum(["not_saved", "dropped"]).optional().describe("`dropped`: steering that the model never got"),
  }),
]);

export type FailureFacts = Readonly<z.infer<typeof failureFactsSchema>>;
export type SessionEvent = Readonly<z.infer<typeof sessionEventSchema>>;
export type ModelChange = Readonly<z.infer<typeof modelChangeSchema>>;
export type RetryEvent = Extract<
  SessionEvent,
  {
    readonly type: "auto_retry_start" | "auto_retry_end" | "retry_fallback_applied" | "retry_fallback_succeeded";
  }
>;
