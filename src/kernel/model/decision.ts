/** Why a generation ended without a good answer. */
export const STOP_REASONS = [
  "not-retryable",
  "retries-exhausted",
  "delay-cap",
  "patience",
  "already-streaming",
  "hopeless",
  "given-up-below",
  "retry-budget",
  "filtered",
  "disabled",
  "aborted",
  "gave-up",
  "hand-over",
  "no-target",
  "engine-fault",
] as const;

export type StopReason = (typeof STOP_REASONS)[number];

/** What to do next, always with its *because*: a short sentence for logs, cards and people. */
export type Decision =
  | {
      readonly type: "wait";
      readonly delayMs: number;
      /** Index into the chain of the target to try after the wait. */
      readonly to: number;
      /** Index of the schedule whose counter this uses up; -1: none, it only waits for a target to be free. */
      readonly schedule: number;
      readonly because: string;
    }
  | { readonly type: "rotate"; readonly to: number; readonly schedule: number; readonly because: string }
  | { readonly type: "switch"; readonly to: number; readonly schedule: number; readonly because: string }
  | { readonly type: "hand-over"; readonly because: string }
  | { readonly type: "stop"; readonly reason: StopReason; readonly because: string };
