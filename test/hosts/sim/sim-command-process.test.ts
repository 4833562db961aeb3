import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli, startCli } from "../../support/run-cli.ts";

test("B7: secondwind sim prints its URLs, answers, and exits cleanly on Ctrl-C", async () => {
  const args = ["--port", "0", "--weather", "quota", "--seed", "7", "--time-scale", "0"];
  const { child, end, said } = startCli(["sim", ...args]);
  const out = await said("/_sim/requests");
  for (const line of ["export OPENAI_BASE_URL=", "export ANTHROPIC_BASE_URL=", "export GOOGLE_GEMINI_BASE_URL="]) {
    expect(out).toContain(line);
  }
  expect(out).toContain("Weather: quota");
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(out)?.[0] ?? "";
  expect(await (await fetch(`${url}/_sim/weather`)).json()).toEqual({ weather: "quota", seed: 7 });
  child.kill("SIGINT");
  expect(await end).toMatchObject({ code: 0, err: "" });
});

test("B7: secondwind sim rejects an invalid scenario and names line and field", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "sim-")), "bad.json");
  writeFileSync(path, '{\n "models": {\n  "m": ["okay"]\n }\n}');
  const { err } = await runCli(["sim", "--port", "0", "--scenario", path]);
  expect(err).toContain("secondwind: --scenario");
  expect(err).toContain("line 3: scenario.models.m[0]");
});

test.each([
  ["--port", "99999"],
  ["--weather", "hail"],
  ["--scenario", "/nowhere/at/all.json"],
])("B7: secondwind sim rejects %s %s", async (option, value) => {
  const { code, err } = await runCli(["sim", option, value]);
  expect(code).toBe(2);
  expect(err).toContain(`secondwind: ${option}`);
});
