import type { Delivery } from "../attempt/delivery.ts";
import { engineFailure } from "../classify/engine-failure.ts";
import type { Failure } from "../model/failure.ts";
import type { Target } from "../model/target.ts";

/** What an inspected stream that has ended lacks; undefined: it is whole. */
export function whyBroken({ hasEnd, hasContent }: Delivery<unknown>, target: Target): Failure | undefined {
  if (!hasEnd) return broken("The stream ended without its terminal marker", "stream:no-end", target);
  return hasContent ? undefined : broken("The stream ended without any content", "stream:empty", target);
}

function broken(message: string, evidence: string, target: Target): Failure {
  return engineFailure("stream_broken", message, evidence, target);
}
