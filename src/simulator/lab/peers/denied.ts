/** Longer than any policy of a peer would wait: the generation ends at once. */
export const DENIED_MS = Number.MAX_SAFE_INTEGER;
/** The most that a peer waits for a hint. */
export const MOST_WAIT_MS = 3_600_000;
