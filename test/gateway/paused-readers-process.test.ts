import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);

// The goal is 64 MB for 200 of them (`bench/gateway/leaving.ts`). What V8 takes once does not depend on how many there are.
test("E14: 40 clients that do not read answers of 50 MB cost the gateway at most 20 MB", {
  timeout: 120_000,
}, async () => {
  const flags = ["--no-warnings", "--import", "tsx", "bench/gateway/leaving.ts"];
  const options = ["--rounds", "1", "--only", "secondwind", "--paused", "40", "--most-mb", "20"];
  const { stdout } = await run(process.execPath, [...flags, ...options], { timeout: 100_000 });
  expect(stdout).toContain("40 x 50 MB not read");
});
