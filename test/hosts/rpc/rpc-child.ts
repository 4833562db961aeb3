import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";

export type Line = { readonly [key: string]: unknown };

export interface RpcChild {
  readonly child: ChildProcessWithoutNullStreams;
  readonly lines: readonly Line[];
  /** All output so far. */
  out(): string;
  err(): string;
  until(holds: (line: Line) => boolean): Promise<Line>;
  /** One line each: objects as JSON, strings unchanged. */
  send(...commands: readonly unknown[]): void;
  readonly ended: Promise<number | null>;
}

/** `secondwind rpc` in a child process, controlled by plain lines. */
export function startRpcChild(
  program: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = process.cwd(),
): RpcChild {
  const child = spawn(process.execPath, program, { cwd, env: { PATH: process.env.PATH ?? "", ...env } });
  const lines: Line[] = [];
  const listeners = new Set<() => void>();
  let out = "";
  let rest = "";
  let err = "";
  child.stdin.on("error", () => undefined);
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    err += chunk;
  });
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    out += chunk;
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) lines.push(JSON.parse(part) as Line);
    for (const listen of listeners) listen();
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const until = (holds: (line: Line) => boolean): Promise<Line> =>
    new Promise((resolve) => {
      const listen = (): void => {
        const found = lines.find(holds);
        if (found === undefined) return;
        listeners.delete(listen);
        resolve(found);
      };
      listeners.add(listen);
      listen();
    });
  const send = (...commands: readonly unknown[]): void => {
    for (const command of commands) {
      child.stdin.write(`${typeof command === "string" ? command : JSON.stringify(command)}\n`);
    }
  };
  return { child, lines, out: () => out, err: () => err, until, send, ended };
}

export const ofType = (type: string) => (line: Line) => line.type === type;
export const response = (id: unknown) => (line: Line) => line.type === "response" && line.id === id;
