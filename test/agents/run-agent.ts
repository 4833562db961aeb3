import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Agent, BaseUrls } from "./agents.ts";

export interface Ended {
  /** Null: still running at the limit, and killed. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

/** Port 9 is closed: calls to other hosts fail at once instead of hanging. */
const NOWHERE = "http://127.0.0.1:9";
const HERE = "127.0.0.1,localhost";

/** Runs an agent once, in an empty folder, with a home of its own. */
export async function runAgent(agent: Agent, urls: BaseUrls, limitMs: number): Promise<Ended> {
  const home = await mkdtemp(join(tmpdir(), "secondwind-agent-"));
  try {
    const work = join(home, "work");
    await mkdir(work);
    const { command, args, env, files = {} } = agent.launch(urls);
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(home, path)), { recursive: true });
      await writeFile(join(home, path), text);
    }
    return await run({ command, args, cwd: work, env: { ...baseEnv(agent, home), ...env }, limitMs });
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** Nothing of the caller's environment but the path: keys and settings there would change the result. */
function baseEnv({ ignoresNoProxy = false }: Agent, home: string): Readonly<Record<string, string>> {
  const proxies = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"].map((name) => [name, NOWHERE]);
  return {
    PATH: process.env.PATH ?? "",
    HOME: home,
    TERM: "dumb",
    NO_COLOR: "1",
    ...(!ignoresNoProxy && { ...Object.fromEntries(proxies), NO_PROXY: HERE, no_proxy: HERE }),
  };
}

interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limitMs: number;
}

function run({ command, args, cwd, env, limitMs }: Command): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    // A group of its own, so that children of the agent can be killed with it.
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const output = { stdout: "", stderr: "" };
    let isLate = false;
    const killGroup = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // All of them have ended.
      }
    };
    const timer = setTimeout(() => {
      isLate = true;
      killGroup();
    }, limitMs);
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output.stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      output.stderr += text;
    });
    child.on("error", (fault) => {
      clearTimeout(timer);
      reject(fault);
    });
    child.on("exit", killGroup);
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ ...output, exitCode: isLate ? null : (code ?? -1), ms: performance.now() - startedAt });
    });
  });
}
