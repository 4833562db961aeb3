/**
 * Runs before the tests: looks for the programs that some of them need, and installs what is missing if it can. vitest.config.ts
 * leaves out the test files of those that are still missing.
 */
import { spawnSync } from "node:child_process";
import { describeMissing, judgeTools, missingTools, type Tool } from "./tools.ts";

const isRoot = process.getuid?.() === 0;
const isCi = process.env.CI === "true";
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const verdict = judgeTools({ missing: missingTools(), isRoot, hasApt: hasApt(), isCi });
if (verdict === "install") install(missingTools());
// What could not be installed is missing as on a machine without apt-get.
const missing = missingTools();
const final = judgeTools({ missing, isRoot, hasApt: false, isCi });
for (const tool of missing) say(describeMissing(tool));
if (final === "fail") {
  say("With CI=true a missing tool is an error.");
  process.exitCode = 1;
}

function hasApt(): boolean {
  return spawnSync("apt-get", ["--version"]).status === 0;
}

/** One at a time, so that a package that can't be had does not keep the others away. */
function install(tools: readonly Tool[]): void {
  say(`Installing what the tests need: ${tools.map(({ debianPackage }) => debianPackage).join(", ")}.`);
  apt("update");
  for (const { debianPackage } of tools) {
    const fault = apt("install", "-y", "--no-install-recommends", debianPackage);
    say(fault === undefined ? `Installed ${debianPackage}.` : `Could not install ${debianPackage}: ${fault}`);
  }
}

/** Returns why it failed, in one line. Offline it gives up soon. */
function apt(...args: readonly string[]): string | undefined {
  const options = ["-q", "-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=20"];
  const { status, stderr } = spawnSync("apt-get", [...options, ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" },
    encoding: "utf8",
  });
  if (status === 0) return undefined;
  return stderr.trim().split("\n").at(-1) || `apt-get ended with ${status}`;
}
