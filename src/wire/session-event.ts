import { z } from "zod";
import { FAILURE_KINDS, type FailureKind } from "../kernel/index.ts";
import { type Message, messageSchema, selectorSchema } from "./message.ts";

export interface ModelChange {
  readonly type: "model_change";
  readonly from: string;
  readonly to: string;
  readonly role: string;
  readonly reason: "chosen" | "fallback" | "restored";
}

interface WithOrigin {
  /** Whose retry it is: a tool call's id, or `compaction`. Absent: the prompt's own. */
  readonly origin?: string | undefined;
}

/** What is known of a failure, so that no client has to read it out of a text. */
export interface FailureFacts {
  readonly kind: FailureKind;
  /** The HTTP status. */
  readonly status?: number | undefined;
  /** The code of the provider or the system: `ECONNREFUSED`. */
  readonly code?: string | undefined;
  readonly provider?: string | undefined;
  /** The rule that decided the kind. `health:…`: no call was made. */
  readonly evidence: string;
}

type SomeFacts = { readonly [Name in keyof FailureFacts]?: FailureFacts[Name] | undefined };

export interface AutoRetryStart extends WithOrigin, FailureFacts {
  readonly type: "auto_retry_start";
  /** 1-based; no two starts of a chain have the same. */
  readonly attempt: number;
  /** Null: no limit. */
  readonly maxAttempts: number | null;
  /** 0: another credential or model is tried at once. */
  readonly delayMs: number;
  /** The provider's words, verbatim. */
  readonly errorMessage: string;
  /** A wait for a cooldown or a breaker. It uses up no retry. */
  readonly heldBack: boolean;
}

export interface AutoRetryEnd extends WithOrigin, SomeFacts {
  readonly type: "auto_retry_end";
  readonly success: boolean;
  /** That of the last start; 0: there was none. */
  readonly attempt: number;
  /** The user ended it. */
  readonly cancelled: boolean;
  /** The provider's words, or `Retry cancelled`. */
  readonly finalError?: string | undefined;
}

export interface RetryFallbackApplied extends WithOrigin {
  readonly type: "retry_fallback_applied";
  readonly from: string;
  readonly to: string;
  readonly role: string;
}

export interface RetryFallbackSucceeded extends WithOrigin {
  readonly type: "retry_fallback_succeeded";
  readonly model: string;
  readonly role: string;
}

export type RetryEvent = AutoRetryStart | AutoRetryEnd | RetryFallbackApplied | RetryFallbackSucceeded;

/** What a session sends to its subscribers, extensions and RPC clients. */
export type SessionEvent =
  | { readonly type: "agent_start" }
  | {
      readonly type: "agent_end";
      readonly status: "done" | "error" | "aborted";
      readonly error?: string | undefined;
      /** What is known of the error, if a provider or the engine reported it. */
      readonly failure?: (FailureFacts & { readonly message: string }) | undefined;
    }
  | { readonly type: "message_start"; readonly messageId: string; readonly role: Message["role"] }
  | {
      readonly type: "message_delta";
      readonly messageId: string;
      readonly kind: "text" | "reasoning";
      readonly delta: string;
    }
  | { readonly type: "message_end"; readonly messageId: string; readonly message: Message }
  /** Of a failed attempt: what was shown of it is taken back. */
  | { readonly type: "message_discard"; readonly messageId: string }
  | {
      readonly type: "tool_start";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly arguments: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: "tool_end";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly content: string;
      readonly isError: boolean;
    }
  | { readonly type: "steering"; readonly content: string }
  | { readonly type: "compaction_start"; readonly reason: "overflow" | "threshold" }
  | {
      readonly type: "compaction_end";
      readonly success: boolean;
      readonly summary?: string | undefined;
      readonly error?: string | undefined;
    }
  /** `dropped`: steering that the model never got. */
  | { readonly type: "warning"; readonly message: string; readonly code?: "not_saved" | "dropped" | undefined }
  | ModelChange
  | RetryEvent;

const failureFactsSchema = z.object({
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
    .describe("whose retry it is: a tool call's id, or `compaction`; absent: the prompt's own"),
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
