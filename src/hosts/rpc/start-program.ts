import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { RpcTransport } from "./rpc-client.ts";

export interface ProgramOptions {
  /** `provider/model`. */
  readonly model?: string;
  /** Id of the conversation to resume, or to start if it does not exist. */
  readonly conversation?: string;
  readonly cwd?: string;
  /** Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Another program with the same protocol, run with Node. Default: `secondwind rpc` of this package. */
  readonly program?: readonly string[];
}

/** Starts a session in a child process, which shares our stderr. */
export function startProgram({ model, conversation, cwd, env, program }: ProgramOptions): RpcTransport {
  const args = [
    ...(program ?? [fileURLToPath(new URL("../cli.cjs", import.meta.url)), "rpc"]),
    ...(model === undefined ? [] : ["--model", model]),
    ...(conversation === undefined ? [] : ["--conversation", conversation]),
  ];
  const child = spawn(process.execPath, args, {
    stdio: ["pipe", "pipe", "inherit"],
    ...(cwd !== undefined && { cwd }),
    env: env ?? process.env,
  });
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  // Writing to an ended process fails; its commands are rejected when its output ends.
  child.stdin.on("error", () => undefined);
  return {
    incoming: child.stdout.setEncoding("utf8"),
    send: (line) => void child.stdin.write(line),
    close: () => {
      child.stdin.end();
      return ended;
    },
  };
}
