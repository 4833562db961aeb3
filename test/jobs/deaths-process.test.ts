import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describeDeaths } from "./deaths.ts";

describeDeaths("SQLite", async (folder) => {
  const home = join(folder, "store");
  mkdirSync(home);
  const path = join(home, "jobs.db");
  return { address: path, options: { path }, env: { SECONDWIND_HOME: home }, remove: async () => undefined };
});
