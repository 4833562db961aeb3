import { schedule } from "../../../kernel/index.ts";
import { policyFor } from "../carry/policy-for.ts";
import type { Settings } from "../settings/schema.ts";

/** The waits before the retries, as the engine's own schedules give them. */
export interface SchedulePreview {
  readonly delays: readonly string[];
  readonly hasMore: boolean;
  readonly total: string;
}

const MOST_SHOWN = 6;

export function previewSchedule(settings: Settings, name: "general" | "rate-limit"): SchedulePreview {
  const spec = policyFor({ ...settings, requiredContentEnabled: false }).schedules[name];
  const all: number[] = [];
  if (spec !== undefined) {
    const { delayFor } = schedule(spec);
    for (let delayMs = delayFor(1); delayMs !== undefined; delayMs = delayFor(all.length + 1)) all.push(delayMs);
  }
  return {
    delays: all.slice(0, MOST_SHOWN).map(sayDuration),
    hasMore: all.length > MOST_SHOWN,
    total: sayDuration(all.reduce((sum, delayMs) => sum + delayMs, 0)),
  };
}

/** `2250` as `2.3 s`, `27105000` as `7.5 h`: one decimal at most. */
export function sayDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const [amount, unit] = ms < 60_000 ? [ms / 1000, "s"] : ms < 3_600_000 ? [ms / 60_000, "min"] : [ms / 3_600_000, "h"];
  return `${Number(amount.toFixed(1))} ${unit}`;
}
