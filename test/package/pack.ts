import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

export const ROOT = resolve(import.meta.dirname, "../..");

export interface Run {
  readonly code: number;
  readonly out: string;
}

/** Runs a program to its end. A failing one is a result too. */
export async function runProgram(file: string, args: readonly string[], cwd: string): Promise<Run> {
  try {
    const { stdout, stderr } = await promisify(execFile)(file, [...args], { cwd, env: ENV, maxBuffer: 2 ** 26 });
    return { code: 0, out: stdout + stderr };
  } catch (error) {
    const { code, stdout = "", stderr = "" } = error as { code?: number; stdout?: string; stderr?: string };
    return { code: code ?? 1, out: `${stdout}${stderr}` || String(error) };
  }
}

/** npm tells the scripts that it runs about itself by variables, which another npm must not take for its own. */
const ENV = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^npm_(?:package|lifecycle)_/i.test(name)),
);

export interface Installed {
  /** The empty project: an absolute path. */
  readonly project: string;
  /** Where the package lies in it. */
  readonly package: string;
  readonly tarball: string;
  remove(): Promise<void>;
}

/** Packs what is built and installs it into an empty project, without a network: the package depends on nothing. */
export async function installPacked(): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), "secondwind-package-"));
  const project = join(folder, "project");
  await mkdir(project);
  // Without scripts: `prepare` would build, which comes before the tests.
  const packed = await runProgram("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], ROOT);
  const name = /"filename": "([^"]+)"/.exec(packed.out)?.[1];
  if (name === undefined) throw new Error(`npm pack failed: ${packed.out}`);
  const tarball = join(folder, name);
  await writeFile(join(project, "package.json"), '{ "name": "consumer", "private": true, "type": "module" }\n');
  const installed = await runProgram("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], project);
  if (installed.code !== 0) throw new Error(`npm install failed: ${installed.out}`);
  return {
    project,
    package: join(project, "node_modules/secondwind"),
    tarball,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
