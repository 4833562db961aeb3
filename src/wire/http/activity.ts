import { z } from "zod";
import type { FailureKind, StopReason, Target } from "../../kernel/index.ts";
import { FAILURE_KINDS } from "../../kernel/index.ts";
import type { Usage } from "../message.ts";

// What is known of a generation of this process. Never a prompt, an answer, a provider's words or a key: a record may be shown to
// anyone who operates the server.

/** One attempt. Times are epoch milliseconds. */
export interface ActivityAttempt {
  /** 1-based. */
  readonly attempt: number;
  readonly target: Target;
  readonly startedAt: number;
  readonly endedAt?: number;
  /** The commit point: the first content that was given to the consumer. */
  readonly firstContentAt?: number;
  readonly ok?: boolean;
  readonly kind?: FailureKind;
  readonly status?: number;
  /** The rule of the classifier that decided. */
  readonly evidence?: string;
  /** The wait that the endpoint asked for. */
  readonly hintMs?: number;
  /** The wait after it, as it really was, and how it ended. */
  readonly waitedMs?: number;
  readonly waitEnded?: "elapsed" | "retry-now" | "gave-up" | "aborted";
  /** How the next attempt came to its target, if to another one. */
  readonly moved?: "rotate" | "switch" | "revert";
}

/** The wait that is running. */
export interface ActivityWait {
  readonly attempt: number;
  /** 1-based number of this retry on its schedule; `maxRetries` null: without a limit. */
  readonly retry: number;
  readonly maxRetries: number | null;
  readonly startedAt: number;
  readonly until: number;
  readonly kind: FailureKind;
  readonly because: string;
}

export interface ActivityRecord {
  /** The generation's id. */
  readonly id: string;
  /** Where it came in: `chat`, `gateway` or `job`. */
  readonly door: string;
  readonly conversationId?: string;
  readonly turnId?: string;
  /** Whose generation it is, where clients have names. */
  readonly client?: string;
  readonly policy: string;
  /** `provider/model`. */
  readonly asked: string;
  readonly answered?: string;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly state: "attempting" | "answering" | "waiting" | "ended";
  /** Once it has ended. */
  readonly outcome?: "succeeded" | StopReason;
  /** Content was given to the consumer, but not to its end. */
  readonly truncated?: boolean;
  /** At most the last 50. `attemptCount` counts all. */
  readonly attempts: readonly ActivityAttempt[];
  readonly attemptCount: number;
  readonly waitedMs: number;
  readonly wait?: ActivityWait;
  readonly usage?: Usage;
  /** The process ended before the generation did. */
  readonly interrupted?: true;
}

export const ACTIVITY_OUTCOMES = ["first", "retried", "failed", "aborted", "running"] as const;

/** `GET /api/activity`: newest first. `before` is the `next` of the page before. */
export const activityQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  before: z.string().max(200).optional(),
  outcome: z
    .enum(ACTIVITY_OUTCOMES)
    .optional()
    .describe("`first`: answered at the first attempt; `retried`: after a retry"),
  kind: z.enum(FAILURE_KINDS).optional().describe("generations with an attempt that failed like this"),
  provider: z.string().max(200).optional(),
  client: z.string().max(200).optional(),
  door: z.string().max(200).optional(),
});
export type ActivityQuery = Readonly<z.infer<typeof activityQuerySchema>>;

export interface ActivityPage {
  readonly records: readonly ActivityRecord[];
  /** Absent: this was the last page. */
  readonly next?: string;
}

/** Totals over the records of the journal. */
export interface ActivitySummary {
  /** Epoch milliseconds of the oldest record that is counted, and of the summary. */
  readonly since: number;
  readonly at: number;
  readonly generations: number;
  readonly running: number;
  readonly waiting: number;
  readonly first: number;
  readonly retried: number;
  readonly failed: number;
  readonly aborted: number;
  /** Of the generations that waited at all, in milliseconds; null: none did. */
  readonly medianWaitMs: number | null;
  readonly p95WaitMs: number | null;
  /** Counts of waits by length: bucket i holds waits below `waitBucketsMs[i]`, the last one the rest. */
  readonly waitBucketsMs: readonly number[];
  readonly waits: readonly number[];
  readonly failures: readonly { readonly kind: FailureKind; readonly provider: string; readonly count: number }[];
  /** Calls that a retry loop would have made in vain: two for each failure that was not retried because no retry could help. */
  readonly saved: readonly { readonly reason: "quota" | "key" | "same-error" | "request"; readonly calls: number }[];
  /** Saved calls over time, oldest first, equally long spans from `since` to `at`. */
  readonly savedOverTime: readonly number[];
  readonly providers: readonly string[];
  readonly clients: readonly string[];
  readonly doors: readonly string[];
}

/** What holds calls back now. */
export interface HealthItem {
  /** Names it in `DELETE /api/health/:id`. */
  readonly id: string;
  readonly type: "breaker" | "cooldown" | "recovering";
  readonly provider: string;
  readonly model?: string;
  /** Id of the credential, never the key. */
  readonly credential?: string;
  /** Epoch milliseconds of its end; absent: unknown. */
  readonly until?: number;
  /** `recovering`: share of the calls that are let through, 0 to 1. */
  readonly share?: number;
}

export interface HealthView {
  readonly items: readonly HealthItem[];
  /** Providers that were called and have no trouble. */
  readonly fine: readonly string[];
  readonly budgets: readonly { readonly provider: string; readonly tokens: number; readonly capacity: number }[];
}

/** On the WebSocket after `activity.subscribe`: first what is under way, then every change, several in one message. */
export interface ActivityMessage {
  readonly type: "activity.delta";
  /** Whole records, each as it stands now. */
  readonly records: readonly ActivityRecord[];
  /** Present if it has changed since the last message. */
  readonly health?: HealthView;
}
