import type { TargetEntry } from "../../../kernel/index.ts";
import type { AskSetup } from "./ask-line.ts";

interface Freest {
  /** The same model, with the credential first that can be used first. */
  readonly target: TargetEntry;
  /** 0: now. */
  readonly waitMs: number;
}

/** Spreads lines over the keys of a provider: each has a pace of its own. */
export function freest(
  { health, policy, ports }: Pick<AskSetup, "health" | "policy" | "ports">,
  target: TargetEntry,
): Freest {
  const { provider, model, credentials = [""] } = target;
  const nowMs = ports.now();
  let first = credentials[0] ?? "";
  let waitMs = Number.POSITIVE_INFINITY;
  for (const credential of credentials) {
    const ms = health.freeInMs({ provider, model, credential }, policy.policy, nowMs);
    if (ms < waitMs) [first, waitMs] = [credential, ms];
  }
  const others = credentials.filter((one) => one !== first);
  return { target: { ...target, credentials: [first, ...others] }, waitMs };
}
