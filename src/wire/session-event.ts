import type { FailureKind } from "../kernel/index.ts";
import type { Message } from "./message.ts";

export interface ModelChange {
  readonly type: "model_change";
  readonly from: string;
  readonly to: string;
  readonly role: string;
  readonly reason: "chosen" | "fallback" | "restored";
}

export interface WithOrigin {
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

export type SomeFacts = { readonly [Name in keyof FailureFacts]?: FailureFacts[Name] | undefined };

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
  /** How long all waits were before this one; only for a policy that limits them. */
  readonly waitedMs?: number | undefined;
  /** The longest that the policy waits in all. Absent: it has no limit in time. */
  readonly patienceMs?: number | undefined;
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
  /** `dropped`: steering that the model never got. `extension`: from an extension, or about one. */
  | {
      readonly type: "warning";
      readonly message: string;
      readonly code?: "not_saved" | "dropped" | "extension" | undefined;
    }
  | ModelChange
  | RetryEvent;

const TYPES: Readonly<Record<SessionEvent["type"], true>> = {
  agent_start: true,
  agent_end: true,
  message_start: true,
  message_delta: true,
  message_end: true,
  message_discard: true,
  tool_start: true,
  tool_end: true,
  steering: true,
  compaction_start: true,
  compaction_end: true,
  warning: true,
  model_change: true,
  auto_retry_start: true,
  auto_retry_end: true,
  retry_fallback_applied: true,
  retry_fallback_succeeded: true,
};

export const SESSION_EVENT_TYPES = Object.keys(TYPES) as readonly SessionEvent["type"][];

export function isSessionEventType(type: unknown): type is SessionEvent["type"] {
  return typeof type === "string" && Object.hasOwn(TYPES, type);
}
