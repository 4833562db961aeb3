import { z } from "zod";
import { selectorSchema } from "./message.ts";
import type { RetryTally } from "./retry-tally.ts";
import type { SessionEvent } from "./session-event.ts";

/** S9: JSON lines. Commands come in; responses and session events go out. */

export interface WithId {
  /** Returned with the response, unchanged. A number is a safe integer. */
  readonly id?: string | number | undefined;
}

export type RpcCommand = WithId &
  (
    | { readonly type: "prompt"; readonly message: string }
    | { readonly type: "steer"; readonly message: string }
    | { readonly type: "abort" }
    | { readonly type: "abort_retry" }
    | { readonly type: "retry_now" }
    | { readonly type: "get_state" }
    | { readonly type: "get_messages" }
    | { readonly type: "set_model"; readonly model: string }
    | { readonly type: "set_auto_retry"; readonly enabled: boolean }
    | { readonly type: "get_commands" }
    | { readonly type: "run_command"; readonly name: string; readonly arguments?: string | undefined }
  );

export interface RpcState {
  /** The model that answers now, as `provider/model`. */
  readonly model: string;
  readonly conversationId: string;
  /** A prompt is under way. */
  readonly isStreaming: boolean;
  readonly isRetrying: boolean;
  /** 0: idle. */
  readonly retryAttempt: number;
  readonly autoRetryEnabled: boolean;
  readonly autoCompactionEnabled: boolean;
  /** Retry statistics so far. */
  readonly retries: RetryTally;
}

export interface RpcResponse extends WithId {
  readonly type: "response";
  /** The command's type; `parse` for a line that is not JSON or is too long. */
  readonly command: string;
  readonly success: boolean;
  readonly data?: unknown;
  readonly error?: string | undefined;
}

export type RpcOutput = RpcResponse | SessionEvent;

const id = { id: z.union([z.string(), z.int()]).optional().describe("returned with the response") };

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
  z.object({ ...id, type: z.literal("get_commands") }),
  z.object({
    ...id,
    type: z.literal("run_command"),
    name: z.string().describe("a slash command of an extension, without the slash"),
    arguments: z.string().optional().describe("the text after the name"),
  }),
]);
