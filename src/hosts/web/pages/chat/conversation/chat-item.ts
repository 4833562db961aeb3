import type { Receipt } from "../../../../../kernel/index.ts";
import type { TurnProviderRetryEvent } from "../../../../../wire/turn-event.ts";

/** One thing in the column of a conversation. `key` never changes while it is shown. */
export type ChatItem = { readonly key: string } & (
  | {
      readonly type: "user";
      readonly text: string;
      /** Names it in `resend`. Absent: not stored yet. */
      readonly seq?: number;
      /** Sent while a turn was running. */
      readonly isSteering?: boolean;
    }
  | { readonly type: "text"; readonly text: string; readonly isStreaming: boolean }
  | {
      readonly type: "reasoning";
      readonly text: string;
      readonly isStreaming: boolean;
      /** How long it took, where this page has seen it. */
      readonly ms?: number;
    }
  | {
      readonly type: "tool";
      readonly callId: string;
      readonly name: string;
      readonly arguments: Readonly<Record<string, unknown>>;
      readonly result?: { readonly content: string; readonly isError: boolean };
      readonly ms?: number;
    }
  | { readonly type: "wait"; readonly event: TurnProviderRetryEvent }
  | { readonly type: "thinking" }
  | {
      readonly type: "error";
      readonly message: string;
      readonly code?: string;
      readonly receipt?: Receipt;
      /** Part of the answer was shown, so it was not asked for again. */
      readonly isAfterContent: boolean;
    }
  | { readonly type: "model-change"; readonly from: string; readonly to: string; readonly reason: string }
  | {
      readonly type: "end";
      readonly turnId: string;
      readonly step: number;
      readonly receipt?: Receipt;
      readonly end: EndOf;
    }
  | { readonly type: "compaction" }
);

/** How a step of a turn ended. `step`: it called tools, and another one follows. */
export type EndOf = "complete" | "step" | "length" | "content-filter" | "aborted" | "interrupted";

export type ItemOf<Type extends ChatItem["type"]> = Extract<ChatItem, { type: Type }>;
