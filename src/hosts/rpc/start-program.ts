import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { RpcTransport } from "./rpc-client.ts";

export interface ProgramOptions {
  /** `provider/model`. */
  readonly model?: string;
  /** Goes on with this conversation. */
  readonly conversation?: string;
  readonly cwd?: string;
  /** Left out: this process's own. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Another program that speaks the same; it is run with Node. Left out: the one of this package. */
  readonly program?: readonly string[];
}

/** A session in a process of its own. What it says on stderr goes to ours. */
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
  // A program that is gone takes no more commands: they are answered by its end.
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
