import type { Ports } from "../kernel/index.ts";
import type { Tool } from "../turn/index.ts";
import type { RetrySettings } from "../wire/index.ts";
import type { SessionOptions, SessionParts } from "./parts.ts";
import type { LeftBehind } from "./prompt/left-behind.ts";
import type { Announcer } from "./record/announcer.ts";
import type { Recorder } from "./record/recorder.ts";
import type { ExperienceBook } from "./retry/experience-book.ts";
import type { LiveGenerations } from "./retry/live-generations.ts";
import type { RetryCounter } from "./retry/retry-tally.ts";

/** What the steps of one session share. The fields that change are the session's whole state, besides its context. */
export interface SessionCore {
  readonly conversationId: string;
  readonly parts: SessionParts;
  readonly options: SessionOptions;
  readonly ports: Ports;
  readonly announcer: Announcer;
  readonly recorder: Recorder;
  readonly live: LiveGenerations;
  readonly experience: ExperienceBook | undefined;
  readonly retries: RetryCounter;
  /** Entries of chains that were warned of, so that each is warned of once. */
  readonly warned: Set<string>;
  /** Said to a session before this one, and never to a model: the first prompt brings it along. */
  leftBehind: readonly LeftBehind[];
  /** Those of the host, then those of the extensions. */
  tools: readonly Tool[];
  settings: RetrySettings;
  /** The model that a person chose. */
  chosen: string;
  /** The model that answers: the chosen one, or a fallback while that cools down. */
  active: string;
}
