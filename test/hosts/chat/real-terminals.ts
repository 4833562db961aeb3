import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const LIMIT_MS = 30_000;

/** Real terminals for real programs, on a tmux server of their own: nobody else's sessions are touched. */
export class Terminals {
  readonly home: string;

  private constructor(home: string) {
    this.home = home;
  }

  static async open(): Promise<Terminals> {
    await run("tmux", ["-V"]).catch(() => {
      throw new Error("These tests need a real terminal: install tmux (apt-get install tmux).");
    });
    return new Terminals(await mkdtemp(join(tmpdir(), "secondwind-pty-")));
  }

  async close(): Promise<void> {
    await this.tmux("kill-server").catch(() => undefined);
    await rm(this.home, { recursive: true, force: true });
  }

  /** Starts a command that sees no more of the environment than this. How it ended stands on the screen, and in `exitFile`. */
  async start(name: string, command: string, env: Readonly<Record<string, string>> = {}): Promise<Pty> {
    const { home } = this;
    const all = { HOME: home, SECONDWIND_HOME: home, PATH: process.env.PATH ?? "", TERM: "xterm-256color", ...env };
    const words = Object.entries(all).map(([key, value]) => `'${key}=${value}'`);
    const exitFile = join(home, `${name}.exit`);
    // The shell outlives a hang-up for long enough to write down how the program did.
    const line = `trap : HUP; env -i ${words.join(" ")} ${command}; echo "left with $?" | tee '${exitFile}'; sleep 60`;
    await this.tmux("-f", "/dev/null", "new-session", "-d", "-s", name, "-x", "100", "-y", "30", line);
    return new Pty(this, name, exitFile);
  }

  /** UTF-8 whatever the locale says. */
  tmux(...args: readonly string[]): Promise<{ stdout: string }> {
    return run("tmux", ["-u", "-S", join(this.home, "tmux"), ...args], { env: { ...process.env, LC_ALL: "C.UTF-8" } });
  }
}

/** One of them. */
export class Pty {
  readonly exitFile: string;
  readonly #terminals: Terminals;
  readonly #name: string;

  constructor(terminals: Terminals, name: string, exitFile: string) {
    this.#terminals = terminals;
    this.#name = name;
    this.exitFile = exitFile;
  }

  async keys(...keys: readonly string[]): Promise<void> {
    await this.#terminals.tmux("send-keys", "-t", this.#name, ...keys);
  }

  async screen(): Promise<string> {
    return (await this.#terminals.tmux("capture-pane", "-p", "-t", this.#name)).stdout;
  }

  async shows(pattern: RegExp): Promise<string> {
    const deadline = Date.now() + LIMIT_MS;
    for (;;) {
      const screen = await this.screen();
      if (pattern.test(screen)) return screen;
      if (Date.now() > deadline) throw new Error(`Not shown: ${pattern}\n${screen}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** As somebody closes a window: the terminal is gone. */
  async hangUp(): Promise<void> {
    await this.#terminals.tmux("kill-session", "-t", this.#name);
  }
}
