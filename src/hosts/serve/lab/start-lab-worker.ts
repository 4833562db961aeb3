import { Worker } from "node:worker_threads";
import type { LabLine } from "../../../wire/http/server.ts";
import type { LabJob, StartLab } from "./lab-job.ts";

/** Ten thousand clients need a quarter of this. Beyond it the thread ends, not the process. */
const LIMITS = { maxOldGenerationSizeMb: 1024 };

/** Runs a job in a thread: a run keeps a core busy for seconds, and the server must answer meanwhile. */
export const startLabWorker: StartLab = (job, onLine) => {
  let worker: Worker | undefined;
  let isOver = false;
  const end = (): void => {
    isOver = true;
    // A thread that ends reports an error or an exit: neither is of interest any more.
    worker?.removeAllListeners();
    worker?.on("error", () => undefined);
    void worker?.terminate();
  };
  const pass = (line: LabLine): void => {
    if (isOver) return;
    if (line.type === "done" || line.type === "error") end();
    onLine(line);
  };
  const fail = (fault: unknown): void =>
    pass({ type: "error", message: `The run has failed: ${fault instanceof Error ? fault.message : String(fault)}` });
  openWorker(job).then((opened) => {
    worker = opened;
    if (isOver) return end();
    opened
      .on("message", pass)
      .on("error", fail)
      .on("exit", (code) => fail(`its thread ended with code ${code}`));
    // The process need not wait for it.
    opened.unref();
  }, fail);
  return end;
};

async function openWorker(job: LabJob): Promise<Worker> {
  const { default: source } = await import("./lab-worker.ts?worker-source");
  // A loader that runs the sources as they are, such as tsx, does not make the thread's program.
  if (typeof source !== "string") throw new Error("run the built program (npm run build)");
  // Without the parent's arguments: a loader would make the start many times as long.
  return new Worker(source, { eval: true, workerData: job, execArgv: [], resourceLimits: LIMITS });
}
