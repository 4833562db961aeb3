import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll } from "vitest";

const run = promisify(execFile);
const LIMIT_MS = 30_000;

/** A folder for everything that the terminals of one test file do, which goes with them. */
export function useTerminals(): { home: string } {
  const place = { home: "" };
  beforeAll(async () => {
    place.home = await mkdtemp(join(tmpdir(), "secondwind-pty-"));
  });
  afterAll(async () => {
    await run("tmux", ["-S", join(place.home, "tmux"), "kill-server"]).catch(() => undefined);
    // The shells still write down how their programs did.
    await rm(place.home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  return place;
}

interface PtyOptions {
  /** Left out: the screen has its colours as escape sequences. */
  readonly isPlain?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** A real terminal with a real program in it, and a server of its own: nobody else's sessions are touched. */
export class Pty {
  readonly exitFile: string;
  readonly #name: string;
  readonly #home: string;
  readonly #options: PtyOptions;

  constructor(name: string, { home }: { readonly home: string }, options: PtyOptions = {}) {
    this.#name = name;
    this.#home = home;
    this.#options = options;
    this.exitFile = join(home, `${name}.exit`);
  }

  /** The program sees no more of the environment than this. How it ended stands on the screen, and in `exitFile`. */
  async start(command: string): Promise<void> {
    const own = { HOME: this.#home, SECONDWIND_HOME: this.#home, PATH: process.env.PATH ?? "", LC_ALL: "C.UTF-8" };
    const all = Object.entries({ ...own, TERM: "xterm-256color", ...this.#options.env });
    const env = all.map(([key, value]) => `'${key}=${value}'`).join(" ");
    // The shell outlives a hang-up for long enough to write down how the program did.
    const line = `trap : HUP; env -i ${env} ${command}; echo "left with $?" | tee '${this.exitFile}'; sleep 60`;
    await this.#tmux("-f", "/dev/null", "new-session", "-d", "-s", this.#name, "-x", "110", "-y", "40", line);
  }

  async keys(...keys: readonly string[]): Promise<void> {
    await this.#tmux("send-keys", "-t", this.#name, "--", ...keys);
  }

  /** `bracketed`: with the marks around it, if the program has asked for them. Otherwise as a terminal without them sends it. */
  async paste(text: string, kind: "bracketed" | "plain" = "bracketed"): Promise<void> {
    await this.#tmux("set-buffer", "-b", this.#name, "--", text);
    const marks = kind === "bracketed" ? ["-p"] : [];
    await this.#tmux("paste-buffer", "-d", ...marks, "-b", this.#name, "-t", this.#name);
  }

  async screen(): Promise<string> {
    const colours = this.#options.isPlain === true ? [] : ["-e"];
    return (await this.#tmux("capture-pane", "-p", ...colours, "-t", this.#name)).stdout;
  }

  async shows(pattern: RegExp): Promise<string> {
    const deadline = Date.now() + LIMIT_MS;
    for (;;) {
      const screen = await this.screen();
      if (pattern.test(screen)) return screen;
      if (Date.now() > deadline) throw new Error(`Not shown: ${pattern}\n${screen}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** As somebody closes a window: the terminal is gone. */
  async hangUp(): Promise<void> {
    await this.#tmux("kill-session", "-t", this.#name);
  }

  /** UTF-8 whatever the locale says. */
  #tmux(...args: readonly string[]): Promise<{ stdout: string }> {
    return run("tmux", ["-u", "-S", join(this.#home, "tmux"), ...args], { env: { ...process.env, LC_ALL: "C.UTF-8" } });
  }
}
