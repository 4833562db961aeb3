import { type ChildProcess, fork } from "node:child_process";
import type { Measured } from "../src/simulator/lab/index.ts";
import { bundleWorker } from "./bundle-worker.ts";
import type { Job } from "./run-job.ts";

export interface RunJobsInput {
  readonly jobs: readonly Job[];
  /** How many processes work at the same time. */
  readonly processes: number;
  readonly signal: AbortSignal;
  /** Called for every finished job. */
  readonly onDone: (job: Job, measured: Measured, done: number) => void;
}

type Reply = { readonly measured: Measured } | { readonly fault: string };

/** Runs all jobs, each in one of several processes. Returns early when the signal aborts; finished jobs have been reported. */
export async function runJobs({ jobs, processes, signal, onDone }: RunJobsInput): Promise<void> {
  // The longest first, so that the processes end at about the same time.
  const waiting = [...jobs].sort((a, b) => b.clients - a.clients);
  let done = 0;
  const worker = await bundleWorker();
  const work = async (): Promise<void> => {
    // Infinity is a figure here, and JSON has none.
    const child = fork(worker.file, { execArgv: [], serialization: "advanced" });
    const stop = (): void => void child.kill("SIGKILL");
    signal.addEventListener("abort", stop);
    try {
      for (let job = waiting.shift(); job !== undefined && !signal.aborted; job = waiting.shift()) {
        const reply = await ask(child, job);
        if (reply === undefined) return;
        if ("fault" in reply) throw new Error(reply.fault);
        onDone(job, reply.measured, ++done);
      }
    } finally {
      signal.removeEventListener("abort", stop);
      stop();
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(processes, jobs.length) }, work));
  } finally {
    worker.remove();
  }
  if (!signal.aborted && done < jobs.length) throw new Error("A process of the lab ended early");
}

/** Undefined: the process has ended. */
function ask(child: ChildProcess, job: Job): Promise<Reply | undefined> {
  return new Promise((resolve) => {
    const onExit = (): void => resolve(undefined);
    child.once("exit", onExit);
    child.once("message", (reply) => {
      child.off("exit", onExit);
      resolve(reply as Reply);
    });
    child.send(job, (fault) => fault !== null && resolve(undefined));
  });
}
