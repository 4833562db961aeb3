import { type ChildProcessByStdio, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { RpcTransport } from "./rpc-client.ts";

export interface ProgramOptions {
  /** `provider/model`. */
  readonly model?: string;
  /** Id of the conversation to resume, or to start if it does not exist. */
  readonly conversation?: string;
  /** Files of extensions, in addition to those of the settings. */
  readonly extensions?: readonly string[];
  readonly cwd?: string;
  /** Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Another program with the same protocol, run with Node. Default: `secondwind rpc` of this package. */
  readonly program?: readonly string[];
  /** How long the program may take to start, in milliseconds; default 30,000. */
  readonly startTimeoutMs?: number;
}

/** A session in a child process. */
export interface StartedProgram extends RpcTransport {
  /** Passes on what the program writes to stderr, which is held back until now. */
  showErrors(): void;
  kill(): void;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Starts a session in a child process. */
export function startProgram(options: ProgramOptions): StartedProgram {
  const { cwd, env = process.env } = options;
  const child = spawn(process.execPath, argumentsOf(options), {
    stdio: ["pipe", "pipe", "pipe"],
    ...(cwd !== undefined && { cwd }),
    env,
  });
  const errors = new ErrorOutput(child.stderr);
  const ended = endOf(child, cwd).then((how) => [how, errors.text].filter((part) => part !== "").join(": "));
  // Writing to an ended process fails; its commands are rejected when its output ends.
  child.stdin.on("error", () => undefined);
  return {
    incoming: child.stdout.setEncoding("utf8"),
    send: (line) => void child.stdin.write(line),
    close: async () => {
      child.stdin.end();
      await ended;
    },
    whyEnded: () => ended,
    showErrors: () => errors.show(),
    kill: () => {
      // Without a pid the program was not started, and Node would send the signal to pid 0: to our own process group.
      if (child.pid !== undefined) child.kill("SIGKILL");
    },
  };
}

function argumentsOf({ program, model, conversation, extensions = [] }: ProgramOptions): readonly string[] {
  return [
    ...(program ?? [fileURLToPath(new URL("../cli.cjs", import.meta.url)), "rpc"]),
    ...(model === undefined ? [] : ["--model", model]),
    ...(conversation === undefined ? [] : ["--conversation", conversation]),
    ...extensions.flatMap((file) => ["--extension", file]),
  ];
}

/** How the process ended, in words. */
function endOf(child: Child, cwd: string | undefined): Promise<string> {
  return new Promise((resolve) => {
    child.once("close", (code, signal) => resolve(signal === null ? `exit code ${code}` : `ended by ${signal}`));
    child.once("error", (fault) => {
      // The system reports a missing folder as a missing program.
      resolve(cwd === undefined || existsSync(cwd) ? fault.message : `the folder ${cwd} does not exist`);
    });
  });
}

const MOST_ERROR_CHARS = 4000;

/** What the program writes to stderr: the end of it explains why it ended. */
class ErrorOutput {
  #tail = "";
  #isShown = false;

  constructor(stream: Readable) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      this.#tail = `${this.#tail}${chunk}`.slice(-MOST_ERROR_CHARS);
      if (this.#isShown) process.stderr.write(chunk);
    });
  }

  get text(): string {
    return this.#tail.trim().replace(/^secondwind: /, "");
  }

  show(): void {
    this.#isShown = true;
    if (this.#tail !== "") process.stderr.write(this.#tail);
    // Shown: it is no explanation of a later end.
    this.#tail = "";
  }
}
