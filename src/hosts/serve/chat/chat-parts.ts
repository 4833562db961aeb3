import type { Activity } from "../../../activity/activity.ts";
import type { Health, Policy, Ports } from "../../../kernel/index.ts";
import type { ProviderSet } from "../../../session/index.ts";
import type { ConversationStore } from "../../../store/index.ts";
import type { Tool } from "../../../turn/index.ts";
import type { PieceRedactor, Redact, RetrySettings } from "../../../wire/index.ts";

/** What a turn uses that neither its request nor its conversation names. */
export interface TurnDefaults {
  /** `provider/model`. */
  readonly model: string;
  /** Name of a preset or of an own policy. */
  readonly policy: string;
}

/** What the chat of the server is built from. */
export interface ChatParts {
  readonly providers: ProviderSet;
  readonly conversations: ConversationStore;
  /** Shared with every other generation of the process. */
  readonly health: Health;
  readonly ports: Ports;
  readonly redact: Redact;
  /** Default: a secret that is spread over several deltas shows in them. */
  readonly redactPieces?: () => PieceRedactor;
  readonly activity: Pick<Activity, "watch">;
  /** Read when a turn starts. */
  readonly defaults: () => Promise<TurnDefaults>;
  /** Read when a turn starts: the fallback chain of the role `default`. */
  readonly settings: () => Promise<RetrySettings>;
  /** Undefined: no policy has this name. */
  readonly policyOf: (name: string) => Promise<Policy | undefined> | Policy | undefined;
  readonly tools?: readonly Tool[];
  readonly system?: string;
  /** Turns in flight in all conversations. Default 1,000. */
  readonly maxTurns?: number;
}
