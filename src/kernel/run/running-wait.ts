import type { GenerationEvent } from "../model/event.ts";
import type { Generation } from "./generation.ts";

/**
 * The wait that a generation is in, as the event that a listener who came too late has missed. Made from what is remembered anyway: the
 * schedule is not among that, so the retry is counted by the attempts.
 */
export function runningWait(generation: Generation): GenerationEvent | undefined {
  const { trail, attemptsMade, wakeAtMs, policy, ports } = generation;
  if (!generation.isWaiting || trail?.failure === undefined) return undefined;
  const at = ports.wallNow();
  return {
    type: "wait-start",
    generationId: generation.id,
    at,
    attempt: attemptsMade,
    retry: Math.max(1, attemptsMade),
    maxRetries: null,
    schedule: "",
    delayMs: trail.waitMs,
    waitedMs: trail.waitedMs,
    patienceMs: policy.patienceMs,
    until: at + Math.max(0, wakeAtMs - ports.now()),
    failure: trail.failure,
    because: "waiting already",
  };
}
