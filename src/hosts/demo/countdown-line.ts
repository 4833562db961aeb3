import { textWidth } from "../../terminal/index.ts";

const LONGEST_BAR = 24;
const SHORTEST_BAR = 4;

/** A wait as one line that never wraps: a bar, the remaining time, and what the user can do meanwhile (`offer`). */
export function countdownLine(leftMs: number, totalMs: number, columns: number, offer: string): string {
  const left = `${(Math.max(0, leftMs) / 1000).toFixed(1)} s`;
  const words = offer === "" ? left : `${left}  ${offer}`;
  // The last column stays free: a line that fills the window exactly wraps in some terminals.
  const room = columns - textWidth(words) - 3;
  if (room < SHORTEST_BAR) return left.slice(0, columns - 1);
  const size = Math.min(LONGEST_BAR, room);
  const full = Math.round((size * Math.min(Math.max(0, leftMs), totalMs)) / Math.max(1, totalMs));
  return `${"━".repeat(full)}${"╌".repeat(size - full)}  ${words}`;
}
