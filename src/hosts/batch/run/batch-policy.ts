import { definePolicy, InvalidInput, type Policy, type PolicyInput } from "../../../kernel/index.ts";
import { backgroundPolicy, PRESETS } from "../../../presets/index.ts";
import { readJsonFile } from "../../../terminal/read-file.ts";

const HOUR_MS = 3_600_000;

/**
 * As background work, but for hours: a night's batch outlasts an outage, and a limit that says when it ends is waited for however
 * long that is. No retry budget: the pace already keeps the calls within what is accepted.
 */
const BATCH_POLICY: Policy = definePolicy(
  {
    name: "batch",
    maxDelayMs: null,
    patienceMs: 8 * HOUR_MS,
    watchdog: { firstContentMs: 300_000, idleMs: 60_000 },
    budget: null,
  },
  backgroundPolicy(),
);

/** A preset by its name, or the policy of batches with the changes that a JSON file has. Throws `InvalidInput`. */
export function batchPolicy(name: string | undefined): Policy {
  if (name === undefined) return BATCH_POLICY;
  if (Object.hasOwn(PRESETS, name)) return PRESETS[name]?.() ?? BATCH_POLICY;
  if (/[./\\]/.test(name)) return definePolicy(readJsonFile("--policy", name) as PolicyInput, BATCH_POLICY);
  throw new InvalidInput("--policy", name, `one of ${Object.keys(PRESETS).join(", ")}, or a JSON file`);
}

/** The same for workers, to whom it is sent: a preset's name, or changes to their default, which waits for 8 hours too. */
export function jobPolicy(name: string | undefined): string | PolicyInput | undefined {
  if (name === undefined || Object.hasOwn(PRESETS, name)) return name;
  return readJsonFile("--policy", name) as PolicyInput;
}
