/** K7: the time left of a wait, in whole seconds: "5s", "1m 52s", "1h 5m". */
export function sayLeft(ms: number): string {
  const seconds = secondsLeft(ms);
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
  return `${Math.floor(seconds / 3600)}h ${Math.floor((seconds % 3600) / 60)}m`;
}

/** The same where space is short: "5", "1:52", "1:05 h". */
export function sayLeftShort(ms: number): string {
  const seconds = secondsLeft(ms);
  if (seconds < 60) return String(seconds);
  if (seconds < 3600) return `${Math.floor(seconds / 60)}:${twoDigits(seconds % 60)}`;
  return `${Math.floor(seconds / 3600)}:${twoDigits(Math.floor((seconds % 3600) / 60))} h`;
}

/** A started second counts in full, so that a wait of 5 s starts with 5 and ends after its last 1. */
export function secondsLeft(ms: number): number {
  return Math.max(0, Math.ceil(ms / 1000));
}

function twoDigits(amount: number): string {
  return String(amount).padStart(2, "0");
}
