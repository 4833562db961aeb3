import type { VirtualWorld } from "../world/index.ts";
import { BandGatherer, type Bands } from "./bands.ts";
import type { Entrant } from "./entrant.ts";
import { type Figures, figuresOf, worstOf } from "./figures-of.ts";
import type { Measured } from "./measure.ts";
import { type LabRun, runLab } from "./run-lab.ts";
import type { Scenario } from "./scenarios.ts";

export interface SurveyInput {
  readonly scenario: Scenario;
  readonly policies: readonly Entrant[];
  readonly clients: number;
  /** How many seeds, from `firstSeed` on. */
  readonly seeds: number;
  readonly firstSeed: number;
  /** Processes that the clients are spread over; each has its own health. */
  readonly replicas: number;
  /** Whether the processes tell each other what they learn. Default: false. */
  readonly isShared?: boolean;
  /** Default: the scenario's. */
  readonly outageMs?: number;
  /** Ends the survey early; finished runs are still reported. */
  readonly signal?: AbortSignal;
  /** Called with the finished share of the work, 0 to 1. */
  readonly onProgress?: (share: number) => void;
  /** Called with what is known after every seed but the last. */
  readonly onSeed?: (soFar: Survey) => void;
}

export interface PolicySurvey {
  readonly name: string;
  /** How many seeds were finished. */
  readonly runs: number;
  /** All seeds together; undefined: none was finished. */
  readonly figures: Figures | undefined;
  /** The worst of each figure over the seeds. */
  readonly worst: Figures | undefined;
  readonly bands: Bands | undefined;
}

export interface Survey
  extends Pick<SurveyInput, "scenario" | "clients" | "seeds" | "firstSeed" | "replicas" | "isShared"> {
  readonly outageMs: number;
  readonly policies: readonly PolicySurvey[];
  /** Seconds from the start. */
  readonly outageFrom: number;
  readonly outageTo: number;
  /** False: it was stopped before all seeds had run. */
  readonly isWhole: boolean;
}

/** A survey before its first run. */
export function emptySurvey(input: SurveyInput): Survey {
  const { signal: _signal, onProgress: _onProgress, onSeed: _onSeed, policies, ...given } = input;
  return {
    outageMs: given.scenario.outageMs,
    ...given,
    policies: policies.map(({ policy }) => ({
      name: policy.name,
      runs: 0,
      figures: undefined,
      worst: undefined,
      bands: undefined,
    })),
    outageFrom: 0,
    outageTo: 0,
    isWhole: false,
  };
}

/** Runs every policy with every seed. Seed by seed, so that a stopped survey still compares the same seeds. */
export async function survey(input: SurveyInput): Promise<Survey> {
  const { policies, seeds, firstSeed, signal } = input;
  const empty = emptySurvey(input);
  const { scenario, clients, replicas, isShared = false, outageMs } = empty;
  const gathered = policies.map(({ policy }) => ({
    name: policy.name,
    measured: [] as Measured[],
    bands: new BandGatherer(),
  }));
  let last: LabRun | undefined;
  let world: VirtualWorld | undefined;
  let done = 0;
  signal?.addEventListener("abort", () => {
    if (world !== undefined) world.isStopped = true;
  });
  const report = (share: number): void => input.onProgress?.((done + share) / (policies.length * seeds));
  const onWorld = (made: VirtualWorld): void => {
    world = made;
  };
  const soFar = (): Survey => ({
    ...empty,
    policies: gathered.map(({ name, measured, bands }) => ({
      name,
      runs: measured.length,
      figures: figuresOf(measured),
      worst: worstOf(measured),
      bands: bands.bands(),
    })),
    outageFrom: last?.outageFrom ?? 0,
    outageTo: last?.outageTo ?? 0,
    isWhole: done === policies.length * seeds,
  });
  for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
    for (const [index, entrant] of policies.entries()) {
      if (signal?.aborted === true) break;
      const run = await runLab({
        ...entrant,
        scenario,
        clients,
        seed,
        replicas,
        isShared,
        outageMs,
        onWorld,
        onProgress: report,
      });
      if (!run.isWhole) break;
      done++;
      report(0);
      last = run;
      gathered[index]?.measured.push(run.measured);
      gathered[index]?.bands.add(run.series);
    }
    if (signal?.aborted !== true && seed < firstSeed + seeds - 1) input.onSeed?.(soFar());
  }
  return soFar();
}
