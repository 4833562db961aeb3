/** Runs one job after another for the process that started it. */
import { type Job, runJob } from "./run-job.ts";

// Ctrl-C reaches the whole group; the parent decides when to stop.
process.on("SIGINT", () => undefined);
process.on("disconnect", () => process.exit());
process.on("message", (job: Job) => {
  runJob(job).then(
    (measured) => process.send?.({ measured }),
    (fault: unknown) => process.send?.({ fault: String(fault) }),
  );
});
