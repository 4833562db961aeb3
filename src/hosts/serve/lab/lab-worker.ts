import type { LabLine } from "../../../wire/http/server.ts";
import type { LabJob } from "./lab-job.ts";
import { runJob } from "./run-job.ts";

// The entry of the lab's thread. It is imported as a string, with `?worker-source`; a loader that does not know that mark runs this
// file in the main thread, where it does nothing.
const threads = globalThis.process?.getBuiltinModule?.("node:worker_threads");

if (threads?.isMainThread === false && threads.parentPort !== null && isJob(threads.workerData)) {
  const { parentPort, workerData } = threads;
  const post = (line: LabLine): void => parentPort.postMessage(line);
  runJob(workerData, post, () => performance.now()).catch((fault: unknown) => {
    post({ type: "error", message: fault instanceof Error ? fault.message : String(fault) });
  });
}

function isJob(data: unknown): data is LabJob {
  return typeof data === "object" && data !== null && "scenario" in data && "policies" in data;
}
