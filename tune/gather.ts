import { type Figures, figuresOf, type Measured, worstOf } from "../src/simulator/lab/index.ts";
import { type Cell, keyOf } from "./cells.ts";
import type { Job } from "./run-job.ts";
import { runJobs } from "./run-jobs.ts";

/** A policy that takes part: under which name, and what runs. */
export interface Runner {
  readonly name: string;
  readonly policy: Job["policy"];
}

export interface GatherInput {
  readonly cells: readonly Cell[];
  readonly runners: readonly Runner[];
  /** None: this policy does not run in this cell. */
  readonly seedsFor: (cell: Cell, runner: Runner) => readonly number[];
  readonly processes: number;
}

export interface Outcome {
  readonly runs: number;
  readonly figures: Figures;
  readonly worst: Figures;
}

export interface Gathered {
  /** Undefined: not all its seeds have run. */
  readonly outcomeOf: (cell: Cell, name: string) => Outcome | undefined;
  readonly runs: number;
  /** False: Ctrl-C was pressed. */
  readonly isWhole: boolean;
}

/** Runs every policy in every cell. Shows its progress on stderr; Ctrl-C ends it with what is finished. */
export async function gather({ cells, runners, seedsFor, processes }: GatherInput): Promise<Gathered> {
  const jobs = cells.flatMap((cell) =>
    runners.flatMap((runner) =>
      seedsFor(cell, runner).map((seed) => ({ ...cell, seed, policy: runner.policy, name: runner.name })),
    ),
  );
  const found = new Map<string, Measured[]>();
  const wanted = new Map<string, number>();
  for (const job of jobs) wanted.set(placeOf(job, job.name), (wanted.get(placeOf(job, job.name)) ?? 0) + 1);
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once("SIGINT", stop);
  console.error(`${runners.length} policies in ${cells.length} cells: ${jobs.length} runs`);
  const progress = progressOf(jobs.length);
  let runs = 0;
  try {
    await runJobs({
      jobs,
      processes,
      signal: stopping.signal,
      onDone: (job, measured, done) => {
        const place = placeOf(job, (job as (typeof jobs)[number]).name);
        const list = found.get(place);
        if (list === undefined) found.set(place, [measured]);
        else list.push(measured);
        runs = done;
        progress.show(done, keyOf(job));
      },
    });
  } finally {
    process.off("SIGINT", stop);
    progress.clear();
  }
  return {
    outcomeOf: (cell, name) => {
      const place = placeOf(cell, name);
      const measured = found.get(place) ?? [];
      const [figures, worst] = [figuresOf(measured), worstOf(measured)];
      if (figures === undefined || worst === undefined || measured.length < (wanted.get(place) ?? 0)) return undefined;
      return { runs: measured.length, figures, worst };
    },
    runs,
    isWhole: !stopping.signal.aborted,
  };
}

function placeOf(cell: Cell, name: string): string {
  return `${keyOf(cell)} ${name}`;
}

const REDRAW_MS = 200;
const LINE_MS = 30_000;

function progressOf(total: number): { show(done: number, what: string): void; clear(): void } {
  const { isTTY } = process.stderr;
  const startedMs = performance.now();
  let shownMs = startedMs;
  return {
    show(done, what) {
      const nowMs = performance.now();
      if (nowMs - shownMs < (isTTY ? REDRAW_MS : LINE_MS)) return;
      shownMs = nowMs;
      const seconds = Math.round((nowMs - startedMs) / 1000);
      const line = `${done} of ${total} runs (${Math.floor((done / total) * 100)} %) after ${seconds} s, last: ${what}`;
      process.stderr.write(isTTY ? `\r\u001b[2K${line}` : `${line}\n`);
    },
    clear() {
      if (isTTY) process.stderr.write("\r\u001b[2K");
    },
  };
}
