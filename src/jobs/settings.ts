import { checkNumber, checkObject } from "../kernel/index.ts";
import { SUSPECT_FROM } from "./endings.ts";
import type { JobsOptions, WorkOptions } from "./jobs.ts";

export type Settings = Required<JobsOptions>;

const DAY_MS = 86_400_000;
const MIB = 1024 * 1024;
const FIELDS = {
  keepMs: { usual: 7 * DAY_MS, min: 60_000, max: 3650 * DAY_MS },
  leaseMs: { usual: 10_000, min: 1000, max: 60_000 },
  poisonAfter: { usual: 25, min: SUSPECT_FROM + 1, max: 1000 },
  crashDelayMs: { usual: 1000, min: 0, max: 60_000 },
  maxBytes: { usual: 16 * MIB, min: 1024, max: 128 * MIB },
} as const satisfies Record<keyof JobsOptions, { usual: number; min: number; max: number }>;

const USUAL_CONCURRENCY = 50;
const MOST_CONCURRENCY = 10_000;

/** Throws `InvalidInput`. */
export function settingsOf(options: JobsOptions): Settings {
  const given = checkObject("options", options, Object.keys(FIELDS));
  const checked = Object.entries(FIELDS).map(([field, { usual, min, max }]) => {
    const value = given[field];
    return [field, value === undefined ? usual : checkNumber(`options.${field}`, value, { min, max, integer: true })];
  });
  return Object.fromEntries(checked) as Settings;
}

export function concurrencyOf({ concurrency = USUAL_CONCURRENCY }: WorkOptions): number {
  return checkNumber("options.concurrency", concurrency, { min: 1, max: MOST_CONCURRENCY, integer: true });
}
