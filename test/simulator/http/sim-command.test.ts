import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const COMMAND = fileURLToPath(new URL("../../../src/hosts/sim/sim-command.ts", import.meta.url));

const PROGRAM = `
import { Command } from "commander";
import { addSimCommand } from ${JSON.stringify(COMMAND)};
const program = new Command();
addSimCommand(program, (code) => { process.exitCode = code; });
program.parseAsync(process.argv.slice(1), { from: "user" }).catch((fault) => { console.error(fault.name + ": " + fault.message); process.exitCode = 2; });
`;

/** The command in its own process. */
function startSim(...args: readonly string[]) {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "--input-type=module", "-e", PROGRAM, "--", "sim", ...args],
    {
      env: { PATH: process.env.PATH ?? "", NO_COLOR: "1" },
      cwd: fileURLToPath(new URL("../../..", import.meta.url)),
    },
  );
  const said = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said.out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.err += text;
  });
  return { child, said, closed: once(child, "close") };
}

test("B7: secondwind sim says where it is, answers, and ends cleanly on Ctrl-C", async () => {
  const { child, said, closed } = startSim("--port", "0", "--weather", "quota", "--seed", "7", "--time-scale", "0");
  await expect.poll(() => said.out, { timeout: 15_000 }).toContain("/_sim/requests");
  for (const line of ["export OPENAI_BASE_URL=", "export ANTHROPIC_BASE_URL=", "export GOOGLE_GEMINI_BASE_URL="]) {
    expect(said.out).toContain(line);
  }
  expect(said.out).toContain("Weather: quota");
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said.out)?.[0] ?? "";
  expect(await (await fetch(`${url}/_sim/weather`)).json()).toEqual({ weather: "quota", seed: 7 });
  child.kill("SIGINT");
  expect(await closed).toEqual([0, null]);
  expect(said.err).toBe("");
});

test("B7: secondwind sim rejects an invalid scenario and names line and field", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "sim-")), "bad.json");
  writeFileSync(path, '{\n "models": {\n  "m": ["okay"]\n }\n}');
  const { said, closed } = startSim("--port", "0", "--scenario", path);
  await closed;
  expect(said.err).toContain("InvalidInput: --scenario");
  expect(said.err).toContain("line 3: scenario.models.m[0]");
});

test.each([
  ["--port", "99999"],
  ["--weather", "hail"],
  ["--scenario", "/nowhere/at/all.json"],
])("B7: secondwind sim rejects %s %s", async (option, value) => {
  const { said, closed } = startSim(option, value);
  expect(await closed).toEqual([2, null]);
  expect(said.err).toContain(`InvalidInput: ${option}`);
});
