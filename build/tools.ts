import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** A program that some test files need and that a machine may lack. */
export interface Tool {
  readonly name: string;
  /** What it may be called on the PATH. */
  readonly programs: readonly string[];
  /** The variable that names its path instead. */
  readonly variable?: string;
  readonly debianPackage: string;
  /** Globs of the test files that can't run without it. */
  readonly suites: readonly string[];
}

export const BROWSER_SUITES = "test/**/browser/**/*.test.ts";
const PTY_SUITES = "test/**/*pty-process.test.ts";
const REDIS_SUITES = "test/**/*redis-process.test.ts";
const COMPLETION = "test/hosts/completion/completion-process.test.ts";

export const CHROMIUM: Tool = {
  name: "Chromium",
  programs: ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
  variable: "CHROMIUM",
  debianPackage: "chromium-headless-shell",
  suites: [BROWSER_SUITES],
};

export const TOOLS: readonly Tool[] = [
  CHROMIUM,
  {
    name: "tmux",
    programs: ["tmux"],
    debianPackage: "tmux",
    suites: [PTY_SUITES, COMPLETION],
  },
  { name: "bash", programs: ["bash"], debianPackage: "bash", suites: ["test/issues/*pty-process.test.ts", COMPLETION] },
  { name: "zsh", programs: ["zsh"], debianPackage: "zsh", suites: [COMPLETION] },
  { name: "fish", programs: ["fish"], debianPackage: "fish", suites: [COMPLETION] },
  { name: "Redis", programs: ["redis-server"], debianPackage: "redis-server", suites: [REDIS_SUITES] },
];

/** The path of a tool: what its variable says, else the first of its programs on the PATH. */
export function findTool({ programs, variable }: Tool, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const named = variable === undefined ? undefined : env[variable];
  if (named) return isExecutable(named) ? named : undefined;
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return programs.flatMap((program) => folders.map((folder) => join(folder, program))).find(isExecutable);
}

export function missingTools(env: NodeJS.ProcessEnv = process.env): readonly Tool[] {
  return TOOLS.filter((tool) => findTool(tool, env) === undefined);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface Machine {
  readonly missing: readonly Tool[];
  readonly isRoot: boolean;
  readonly hasApt: boolean;
  readonly isCi: boolean;
}

export type Verdict = "complete" | "install" | "leave-out" | "fail";

/** What to do about missing tools. CI must not pass with fewer tests than it should run. */
export function judgeTools({ missing, isRoot, hasApt, isCi }: Machine): Verdict {
  if (missing.length === 0) return "complete";
  if (isRoot && hasApt) return "install";
  return isCi ? "fail" : "leave-out";
}

/** One line: what does not run, and how to get the tool. */
export function describeMissing({ name, variable, debianPackage, suites }: Tool): string {
  const orVariable = variable === undefined ? "" : `, or set ${variable} to its path`;
  return `${name} not found. Not run: ${suites.join(", ")}. To run them: apt-get install ${debianPackage}${orVariable}.`;
}
