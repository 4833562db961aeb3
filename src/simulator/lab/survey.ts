import type { VirtualWorld } from "../world/index.ts";
import { BandGatherer, type Bands } from "./bands.ts";
import type { LabPolicy } from "./engine-for.ts";
import type { Figures } from "./measure.ts";
import { type LabRun, runLab } from "./run-lab.ts";
import type { Scenario } from "./scenarios.ts";
import { worstOf } from "./worst-of.ts";

export interface SurveyInput {
  readonly scenario: Scenario;
  readonly policies: readonly LabPolicy[];
  readonly clients: number;
  /** How many seeds, from `firstSeed` on. */
  readonly seeds: number;
  readonly firstSeed: number;
  /** Processes that the clients are spread over, each with a health of its own. */
  readonly replicas: number;
  /** Left out: as the scenario says. */
  readonly outageMs?: number;
  /** Ends the survey early; what was finished until then stays. */
  readonly signal?: AbortSignal;
  /** Told the share of the work that is done, 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

export interface PolicySurvey {
  readonly name: string;
  /** How many seeds were finished. */
  readonly runs: number;
  /** The worst of each figure over the seeds; undefined: none was finished. */
  readonly worst: Figures | undefined;
  readonly bands: Bands | undefined;
}

export interface Survey {
  readonly scenario: Scenario;
  readonly clients: number;
  readonly seeds: number;
  readonly firstSeed: number;
  readonly replicas: number;
  readonly outageMs: number;
  readonly policies: readonly PolicySurvey[];
  /** Seconds from the start. */
  readonly outageFrom: number;
  readonly outageTo: number;
  /** False: it was stopped before all seeds were through. */
  readonly isWhole: boolean;
}

/** Runs every policy with every seed. Seed by seed, so that a survey that is stopped still compares like with like. */
export async function survey(input: SurveyInput): Promise<Survey> {
  const { scenario, policies, clients, seeds, firstSeed, replicas, signal } = input;
  const outageMs = input.outageMs ?? scenario.outageMs;
  const gathered = policies.map(({ name }) => ({ name, figures: [] as Figures[], bands: new BandGatherer() }));
  let last: LabRun | undefined;
  let world: VirtualWorld | undefined;
  let done = 0;
  signal?.addEventListener("abort", () => {
    if (world !== undefined) world.isStopped = true;
  });
  const tell = (share: number): void => input.onProgress?.((done + share) / (policies.length * seeds));
  for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
    for (const [index, policy] of policies.entries()) {
      if (signal?.aborted === true) break;
      const run = await runLab({
        scenario,
        policy,
        clients,
        seed,
        replicas,
        outageMs,
        onWorld(made) {
          world = made;
        },
        onProgress: tell,
      });
      if (!run.isWhole) break;
      done++;
      tell(0);
      last = run;
      gathered[index]?.figures.push(run.figures);
      gathered[index]?.bands.add(run.series);
    }
  }
  return {
    scenario,
    clients,
    seeds,
    firstSeed,
    replicas,
    outageMs,
    policies: gathered.map(({ name, figures, bands }) => ({
      name,
      runs: figures.length,
      worst: worstOf(figures),
      bands: bands.bands(),
    })),
    outageFrom: last?.outageFrom ?? 0,
    outageTo: last?.outageTo ?? 0,
    isWhole: done === policies.length * seeds,
  };
}
