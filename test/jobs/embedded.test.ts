import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedJobs } from "../../src/jobs/embedded/embedded-jobs.ts";
import { describeJobs } from "./contract.ts";

describeJobs("SQLite", async () => {
  const folder = mkdtempSync(join(tmpdir(), "secondwind-jobs-"));
  return {
    open: (options) => openEmbeddedJobs(join(folder, "jobs.db"), options),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
});
