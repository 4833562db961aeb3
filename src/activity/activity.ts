import type { Listener, Policy } from "../kernel/index.ts";
import type {
  ActivityPage,
  ActivityQuery,
  ActivityRecord,
  ActivitySummary,
  HealthView,
} from "../wire/http/activity.ts";
import type { Estimate } from "../wire/http/server.ts";
import type { Usage } from "../wire/index.ts";

/** What is known of a generation before it starts. */
export type GenerationFacts = Pick<
  ActivityRecord,
  "door" | "conversationId" | "turnId" | "client" | "policy" | "asked"
>;

/** Writes down one generation. */
export interface GenerationWatch {
  /** Hears the engine's events of this generation. */
  readonly on: Listener;
  /** The first content was given to the consumer: the commit point. Further calls do nothing. */
  content(): void;
  usage(usage: Usage): void;
}

/** What happened in this process and is happening: a bounded ring in memory, the journal of the store, and live changes. */
export interface Activity {
  /** Watches a generation that is about to start. */
  watch(facts: GenerationFacts): GenerationWatch;
  list(query: ActivityQuery): Promise<ActivityPage>;
  summary(): Promise<ActivitySummary>;
  /** Hears every record that has changed, several at a time; none, if `health` alone has changed. Returns a function that ends it. */
  subscribe(listener: (records: readonly ActivityRecord[]) => void): () => void;
  /** Those that have not ended. */
  running(): readonly ActivityRecord[];
  /** The record of a generation that is remembered. */
  find(id: string): ActivityRecord | undefined;
  /** B8. False: no such generation is waiting. */
  retryNow(id: string): boolean;
  /** B8. False: no such generation is under way. */
  giveUp(id: string): boolean;
  /** The same object as before, unless something has changed that a person would see. */
  health(): HealthView;
  /** Ends a cooldown or closes a breaker. False: no item has this id. */
  clear(id: string): Promise<boolean>;
  /** What a policy would have done with the generations that were recorded last. One estimate runs at a time. */
  estimate(policy: Policy, signal: AbortSignal): Promise<Estimate>;
  /** What has happened since the process started, as Prometheus reads it. */
  metrics(): string;
  /** Writes what is not in the journal yet. */
  close(): Promise<void>;
}
