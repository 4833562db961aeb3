import { definePolicy, type PolicyInput } from "../src/kernel/index.ts";
import { defaultPolicy } from "../src/presets/index.ts";
import { type Entrant, labEntrant, type Measured, runLab, scenarioOf } from "../src/simulator/lab/index.ts";
import type { Cell } from "./cells.ts";

/** One run of the lab, as it is sent to another process. */
export interface Job extends Cell {
  readonly seed: number;
  /** A policy of the lab by its name, or changes to `default`. */
  readonly policy: string | PolicyInput;
}

export async function runJob({ scenario, clients, replicas, seed, policy }: Job): Promise<Measured> {
  const run = await runLab({ ...entrantOf(policy), scenario: scenarioOf(scenario), clients, replicas, seed });
  return run.measured;
}

function entrantOf(policy: Job["policy"]): Entrant {
  if (typeof policy !== "string") return { policy: definePolicy(policy, defaultPolicy()) };
  const entrant = labEntrant(policy);
  if (entrant === undefined) throw new RangeError(`Unknown policy: ${policy}`);
  return entrant;
}
