import { definePolicy } from "../../../kernel/index.ts";
import { type Entrant, labEntrant, renderReport, scenarioOf, survey } from "../../../simulator/lab/index.ts";
import type { LabLine } from "../../../wire/http/server.ts";
import type { LabJob } from "./lab-job.ts";
import { labResult } from "./lab-result.ts";

const PROGRESS_MS = 150;
/** Before that, a forecast would be a guess. */
const FORECAST_FROM = { ms: 400, share: 0.02 };

/** Runs a job in this thread. `now`: a monotonic clock in milliseconds. */
export async function runJob(
  { scenario, policies, clients, runs }: LabJob,
  onLine: (line: LabLine) => void,
  now: () => number,
): Promise<void> {
  const startMs = now();
  let lastMs = Number.NEGATIVE_INFINITY;
  const made = await survey({
    scenario: scenarioOf(scenario),
    policies: policies.map(entrantOf),
    clients,
    seeds: runs,
    firstSeed: 1,
    replicas: 1,
    onProgress(share) {
      const nowMs = now();
      if (nowMs - lastMs < PROGRESS_MS) return;
      lastMs = nowMs;
      const run = Math.min(runs, Math.floor(share * runs) + 1);
      onLine({ type: "progress", run, runs, share, secondsLeft: secondsLeft(nowMs - startMs, share) });
    },
    onSeed: (soFar) => onLine({ type: "partial", result: labResult(soFar) }),
  });
  onLine({ type: "done", result: labResult(made), report: renderReport(made) });
}

function secondsLeft(elapsedMs: number, share: number): number | null {
  if (elapsedMs < FORECAST_FROM.ms || share < FORECAST_FROM.share) return null;
  return Math.max(1, Math.round((elapsedMs * (1 - share)) / share / 1000));
}

function entrantOf(policy: LabJob["policies"][number]): Entrant {
  // Made once more: what has come from another thread is a copy.
  if (typeof policy !== "string") return { policy: definePolicy(policy) };
  const known = labEntrant(policy);
  if (known === undefined) throw new Error(`Unknown policy: ${policy}`);
  return known;
}
