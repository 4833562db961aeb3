import type { Health } from "../health/health.ts";
import type { Decision } from "../model/decision.ts";
import type { Failure } from "../model/failure.ts";
import type { Policy } from "../model/policy.ts";
import type { Target } from "../model/target.ts";
import { isRefusal } from "./refusal.ts";

export interface Cooling {
  readonly health: Health;
  readonly target: Target;
  readonly failure: Failure;
  readonly policy: Policy;
  readonly decision: Decision;
  readonly nowMs: number;
}

/**
 * Tells health what to leave out, and for how long. A target that is left cools down. One that is waited for does so
 * only if the endpoint named a time for the credential: then it holds for every other generation as well.
 */
export function coolDown({ health, target, failure, policy, decision, nowMs }: Cooling): void {
  // A request that can never fit, or an answer that lacks something, says nothing about the next generation's.
  if (failure.scope === "request" || (failure.kind === "rate_limit" && !failure.retryable)) return;
  const isLeft = decision.type === "rotate" || decision.type === "switch";
  const hintMs = policy.honourHints ? failure.hintMs : undefined;
  if (!isLeft && (hintMs === undefined || failure.scope !== "credential")) return;
  const scope = failure.scope === "credential" ? "credential" : "model";
  const untilMs = nowMs + (hintMs ?? policy.fallback.cooldownMs);
  if (isRefusal(failure) && health.refuse !== undefined) health.refuse(target, scope, untilMs);
  else health.coolDown(target, scope, untilMs);
}
