import type { StopReason } from "../model/decision.ts";

/** What a generation is doing. `parked`: left in a wait, to be resumed by another generation. */
export type Phase = "ready" | "attempting" | "waiting" | "parked";
export type Outcome = "succeeded" | StopReason;

/** Undefined until it has ended. */
export function outcomeIn(state: Phase | Outcome): Outcome | undefined {
  if (state === "ready" || state === "attempting" || state === "waiting" || state === "parked") return undefined;
  return state;
}
