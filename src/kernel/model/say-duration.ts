const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A duration for people: "20 ms", "1.9 s", "30 s", "1 min 30 s", "2 h", "13 days". */
export function sayDuration(ms: number): string {
  if (Math.round(ms) < SECOND) return `${Math.round(ms)} ms`;
  // Rounded before the unit is chosen, so that 59.96 s becomes "1 min" instead of "60 s".
  const seconds = ms < 10 * SECOND ? Math.round(ms / 100) / 10 : Math.round(ms / SECOND);
  if (seconds < 60) return `${seconds} s`;
  if (ms < HOUR - SECOND / 2) return twoParts(seconds, 60, ["min", "s"]);
  const minutes = Math.round(ms / MINUTE);
  if (minutes < 24 * 60) return twoParts(minutes, 60, ["h", "min"]);
  const days = Math.round(ms / DAY);
  return days === 1 ? "1 day" : `${days} days`;
}

function twoParts(amount: number, size: number, [large, small]: readonly [string, string]): string {
  const rest = amount % size;
  const whole = `${Math.floor(amount / size)} ${large}`;
  return rest === 0 ? whole : `${whole} ${rest} ${small}`;
}
