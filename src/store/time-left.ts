import type { StoredCooldown } from "./store.ts";

/** The longest wait that a provider may ask for. A longer cooldown comes from a wrong clock or a manual edit. */
const LONGEST_MS = 31 * 86_400_000;

/**
 * How long a stored cooldown still lasts; 0: it is over, or impossible. The wall clock may have been wrong when it was stored, or
 * may be wrong now: a cooldown never lasts longer than when it was set. Losing one costs a call, which finds out again; keeping
 * one forever costs the key.
 */
export function timeLeftMs({ until, since }: Pick<StoredCooldown, "until" | "since">, nowMs: number): number {
  const leftMs = Math.min(until - nowMs, since === undefined ? Number.POSITIVE_INFINITY : until - since);
  return leftMs > LONGEST_MS ? 0 : Math.max(0, leftMs);
}
