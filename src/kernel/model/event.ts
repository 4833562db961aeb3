import type { Failure } from "./failure.ts";
import type { Receipt } from "./receipt.ts";
import type { Target } from "./target.ts";

/** An event at every step of a generation. Plain data; hosts translate it to their own dialect in one place. */
export type GenerationEvent = EventBody & {
  readonly generationId: string;
  /** Wall-clock time, epoch milliseconds. */
  readonly at: number;
};

export type EventBody =
  | { readonly type: "attempt-start"; readonly attempt: number; readonly target: Target }
  | {
      readonly type: "attempt-end";
      readonly attempt: number;
      readonly target: Target;
      readonly ok: boolean;
      readonly failure?: Failure;
    }
  | {
      readonly type: "wait-start";
      /** The attempt that failed. */
      readonly attempt: number;
      /** 1-based number of this retry on its schedule, and how many the schedule allows where that is finite. */
      readonly retry: number;
      readonly maxRetries: number | null;
      /** Empty: no schedule's wait, but one for a breaker or cooldown; it uses up no retry. */
      readonly schedule: string;
      readonly delayMs: number;
      /** What the generation has waited in all before this wait, and the longest that its policy lets it wait; null: no limit. */
      readonly waitedMs: number;
      readonly patienceMs: number | null;
      /** Wall-clock end of the wait, so that a page that joins late counts down right. */
      readonly until: number;
      readonly failure: Failure;
      readonly because: string;
    }
  | {
      readonly type: "wait-end";
      readonly attempt: number;
      readonly waitedMs: number;
      readonly ended: "elapsed" | "retry-now" | "gave-up" | "aborted";
    }
  | {
      readonly type: "target-switch";
      readonly attempt: number;
      readonly from: Target;
      readonly to: Target;
      readonly how: "rotate" | "switch" | "revert";
      readonly because: string;
      readonly failure?: Failure;
    }
  | { readonly type: "attempt-discard"; readonly attempt: number; readonly failure: Failure; readonly items: number }
  | { readonly type: "warning"; readonly message: string }
  | { readonly type: "generation-end"; readonly receipt: Receipt; readonly failure?: Failure };

/** Receives events with the handle of their generation. If it throws, the fault is reported and the generation continues. */
export type Listener = (event: GenerationEvent, generation: GenerationHandle) => void;

/** What a person can do with a generation that is under way. Every field can be destructured. */
export interface GenerationHandle {
  readonly id: string;
  /** True while it sleeps between two attempts. */
  readonly isWaiting: boolean;
  /** Ends the wait early and tries again. False if it was not waiting. */
  readonly retryNow: () => boolean;
  /** Ends the generation for good; a running attempt is cancelled. False if it had ended already. */
  readonly giveUp: () => boolean;
}
