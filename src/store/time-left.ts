import type { StoredCooldown } from "./store.ts";

/** As long as the longest wait that a provider may ask for. Nobody makes a longer cooldown: it is a fault of a clock or of a hand. */
const LONGEST_MS = 31 * 86_400_000;

/**
 * How long a stored cooldown goes on; 0: it is over, or can't be true. The wall clock may have been wrong when it was stored, or
 * be wrong now: it never lasts longer than it did at first. One that is forgotten costs a call, which finds out anew; one that
 * is kept for ever costs the key.
 */
export function timeLeftMs({ until, since }: Pick<StoredCooldown, "until" | "since">, nowMs: number): number {
  const leftMs = Math.min(until - nowMs, since === undefined ? Number.POSITIVE_INFINITY : until - since);
  return leftMs > LONGEST_MS ? 0 : Math.max(0, leftMs);
}
