import { InvalidInput, MAX_DELAY_MS } from "../../kernel/index.ts";

const DURATION = /^(\d+(?:\.\d+)?)(s|m|h)?$/;
const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds of `30`, `2.5`, `90s`, `5m` or `1h`. Default: no limit apart from the policy's. Throws `InvalidInput`. */
export function parseMaxWait(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const [, amount, unit = "s"] = DURATION.exec(text) ?? [];
  const ms = Number(amount) * (UNIT_MS[unit] ?? Number.NaN);
  // Not `Number(text)` alone: to that an empty text is 0, and `0x10` is 16.
  if (ms <= MAX_DELAY_MS) return ms;
  throw new InvalidInput("--max-wait", text, "in seconds such as 30 or 2.5, or as 90s, 5m or 1h; 24 days at most");
}
