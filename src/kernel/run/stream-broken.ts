import type { Attempt } from "../attempt/attempt.ts";
import { engineFailure } from "../classify/engine-failure.ts";
import type { Failure } from "../model/failure.ts";

/** The failure of a stream that ended before its answer was whole. */
export function broken(attempt: Attempt, message: string, evidence: string): Failure {
  return engineFailure("stream_broken", message, `stream:${evidence}`, attempt.target);
}
