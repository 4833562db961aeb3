import { schedule } from "../../../kernel/index.ts";
import { sayDuration } from "../../../terminal/say-duration.ts";
import { policyFor } from "../carry/policy-for.ts";
import type { Settings } from "../settings/schema.ts";

const MOST_SHOWN = 6;

/** The waits before the retries, from the engine's own schedules: as a list, and in total. */
export function previewSchedule(settings: Settings, name: "general" | "rate-limit") {
  const spec = policyFor({ ...settings, requiredContentEnabled: false }).schedules[name];
  const all: number[] = [];
  if (spec !== undefined) {
    const { delayFor } = schedule(spec);
    for (let delayMs = delayFor(1); delayMs !== undefined; delayMs = delayFor(all.length + 1)) all.push(delayMs);
  }
  const shown = all.slice(0, MOST_SHOWN).map(sayDuration);
  return {
    delays: [...shown, ...(all.length > MOST_SHOWN ? ["…"] : [])].join(", "),
    total: sayDuration(all.reduce((sum, delayMs) => sum + delayMs, 0)),
  };
}
