/**
 * Runs the unit and process tests on another version of Node: `tsx build/test-on-node.ts 24`, more arguments go to vitest. npm has
 * Node's binaries as packages; as a dependency of this project one would replace `node` in every npm script.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

const [version = "24", ...args] = process.argv.slice(2);
const system = process.platform === "win32" ? "win" : process.platform;
const name = `node-${system}-${process.arch}`;
const folder = resolve("node_modules/.cache", `node-${version}`);
const bin = join(folder, "node_modules", name, "bin");

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "package.json"), "{}");
run("npm", ["install", "--prefix", folder, "--no-save", "--no-audit", "--no-fund", `${name}@${version}`]);
run(join(bin, "node"), ["--version"]);
const projects = args.some((word) => word.startsWith("--project")) ? [] : ["--project", "unit", "--project", "process"];
run(join(bin, "node"), ["node_modules/vitest/vitest.mjs", "run", ...projects, ...args]);

/** With this Node for its children too. A failure ends the script with the same code. */
function run(file: string, given: readonly string[]): void {
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  const { status, error } = spawnSync(file, given, { stdio: "inherit", env });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
