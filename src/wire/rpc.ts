import { z } from "zod";
import { messageSchema, selectorSchema } from "./message.ts";
import { retryTallySchema } from "./retry-tally.ts";
import { sessionEventSchema } from "./session-event.ts";

/** S9: JSON lines. Commands come in; responses and session events go out. */

const id = { id: z.union([z.string(), z.number()]).optional().describe("given back with the response") };

export const rpcCommandSchema = z.discriminatedUnion("type", [
  z.object({ ...id, type: z.literal("prompt"), message: z.string().min(1) }),
  z.object({ ...id, type: z.literal("steer"), message: z.string().min(1) }),
  z.object({ ...id, type: z.literal("abort") }),
  z.object({ ...id, type: z.literal("abort_retry") }),
  z.object({ ...id, type: z.literal("retry_now") }),
  z.object({ ...id, type: z.literal("get_state") }),
  z.object({ ...id, type: z.literal("get_messages") }),
  z.object({ ...id, type: z.literal("set_model"), model: selectorSchema }),
  z.object({ ...id, type: z.literal("set_auto_retry"), enabled: z.boolean() }),
]);

export const rpcStateSchema = z.object({
  model: selectorSchema.describe("the model that answers now"),
  conversationId: z.string(),
  isStreaming: z.boolean().describe("a prompt is under way"),
  isRetrying: z.boolean(),
  retryAttempt: z.int().nonnegative().describe("0: idle"),
  autoRetryEnabled: z.boolean(),
  autoCompactionEnabled: z.boolean(),
  retries: retryTallySchema.describe("how retries fared so far"),
});

/** What the data of a good response is, for the commands that have any. */
export const rpcDataSchemas = {
  get_state: rpcStateSchema,
  get_messages: z.object({ messages: z.array(messageSchema) }),
  abort_retry: z.object({ cancelled: z.boolean().describe("false: nothing was being retried") }),
  retry_now: z.object({ retried: z.boolean().describe("false: nothing was waiting") }),
} as const;

export const rpcResponseSchema = z.object({
  ...id,
  type: z.literal("response"),
  command: z.string().describe("the command's type; `parse` for a line that is no JSON, or too long"),
  success: z.boolean(),
  data: z.unknown().optional(),
  error: z.string().optional(),
});

export const rpcOutputSchema = z.union([rpcResponseSchema, sessionEventSchema]);

export type RpcCommand = Readonly<z.infer<typeof rpcCommandSchema>>;
export type RpcState = Readonly<z.infer<typeof rpcStateSchema>>;
export type RpcResponse = Readonly<z.infer<typeof rpcResponseSchema>>;
export type RpcOutput = Readonly<z.infer<typeof rpcOutputSchema>>;
