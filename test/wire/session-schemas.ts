import { z } from "zod";
import { FAILURE_KINDS } from "../../src/kernel/index.ts";
import { messageSchema, selectorSchema } from "../../src/wire/message.ts";
import { roleSchema } from "../../src/wire/retry-settings.ts";
import { modelChangeSchema } from "../../src/wire/session-entry.ts";

/** S7, S9: what a session sends, to check real events and to write the tables of docs/rpc.md. In src it is types only. */

const failureFactsSchema = z.object({
  kind: z.enum(FAILURE_KINDS).describe("what went wrong"),
  status: z.int().optional().describe("the HTTP status"),
  code: z.string().optional().describe("the error code from the provider or the system: `ECONNREFUSED`"),
  provider: z.string().optional(),
  evidence: z.string().describe("the rule that decided the kind; `health:…`: no call was made"),
});

const origin = {
  origin: z
    .string()
    .optional()
    .describe("what is being retried: a tool call's id, or `compaction`; absent: the prompt itself"),
};

export const retryStartSchema = z.object({
  type: z.literal("auto_retry_start"),
  attempt: z.int().positive().describe("1-based; unique within a retry chain"),
  maxAttempts: z
    .int()
    .nonnegative()
    .nullable()
    .describe("upper limit of `attempt`, including waits for a cooldown or breaker so far; null: no limit"),
  delayMs: z.number().nonnegative().describe("0: another credential or model is tried at once"),
  errorMessage: z.string().describe("the provider's message, verbatim"),
  heldBack: z.boolean().describe("true: a wait for a cooldown or a breaker, which does not count as a retry"),
  waitedMs: z
    .number()
    .nonnegative()
    .optional()
    .describe("the sum of all waits before this one; only with `patienceMs`"),
  patienceMs: z
    .number()
    .nonnegative()
    .optional()
    .describe("the longest time that the policy waits in all; absent: no limit in time"),
  ...failureFactsSchema.shape,
  ...origin,
});

export const retryEndSchema = z.object({
  type: z.literal("auto_retry_end"),
  success: z.boolean(),
  attempt: z.int().nonnegative().describe("`attempt` of the last `auto_retry_start`; 0 if there was none"),
  cancelled: z.boolean().describe("true: the user cancelled it"),
  finalError: z.string().optional().describe("the provider's message, or `Retry cancelled`"),
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
      .describe("details, if a provider or the engine reported the error"),
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
    messageId: messageId.describe("the message of a failed attempt; remove it from the screen"),
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
  modelChangeSchema.extend({ type: z.literal("model_change") }),
  retryStartSchema,
  retryEndSchema,
  fallbackAppliedSchema,
  fallbackSucceededSchema,
  z.object({
    type: z.literal("warning"),
    message: z.string(),
    code: z
      .enum(["not_saved", "dropped", "extension"])
      .optional()
      .describe(
        "`dropped`: a steering message that was never sent to the model; `extension`: from or about an extension",
      ),
  }),
]);

const count = z.int().nonnegative();
const milliseconds = z.number().nonnegative();

export const retryTallySchema = z.object({
  generations: count,
  retries: count,
  retried: count.describe("generations in which something was retried"),
  recovered: count.describe("those that ended with an answer"),
  cancelled: count.describe("those that the user cancelled"),
  waitedMs: milliseconds.describe("waits before retries, in total"),
  retryingMs: milliseconds.describe("from the first failure to the end, in total"),
  statuses: z
    .record(z.string(), z.object({ failures: count, retries: count, worked: count }))
    .describe("by HTTP status, or by kind where no status names the failure"),
});

const id = { id: z.union([z.string(), z.int()]).optional().describe("returned with the response") };

export const rpcStateSchema = z.object({
  model: selectorSchema.describe("the model that answers now"),
  conversationId: z.string(),
  isStreaming: z.boolean().describe("a prompt is running"),
  isRetrying: z.boolean(),
  retryAttempt: z.int().nonnegative().describe("0: idle"),
  autoRetryEnabled: z.boolean(),
  autoCompactionEnabled: z.boolean(),
  retries: retryTallySchema.describe("retry statistics of this session"),
});

/** What the data of a good response is, for the commands that have any. */
export const rpcDataSchemas = {
  get_state: rpcStateSchema,
  get_messages: z.object({ messages: z.array(messageSchema) }),
  abort_retry: z.object({ cancelled: z.boolean().describe("false: nothing was being retried") }),
  retry_now: z.object({ retried: z.boolean().describe("false: nothing was waiting") }),
  get_commands: z.object({
    commands: z
      .array(z.object({ name: z.string(), description: z.string() }))
      .describe("the slash commands of the extensions: `name`, `description`"),
  }),
  run_command: z.object({
    output: z.string().describe("what the command returned, to show to the user; may be empty"),
  }),
} as const;

export const rpcResponseSchema = z.object({
  ...id,
  type: z.literal("response"),
  command: z.string().describe("the command's type; `parse` if the line is not JSON or is too long"),
  success: z.boolean(),
  data: z.unknown().optional(),
  error: z.string().optional(),
});
