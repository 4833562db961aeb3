import { type ChildProcess, fork } from "node:child_process";
import { createServer, type ServerResponse } from "node:http";
import { connect, createServer as createTcpServer, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import type { LinkStatus } from "../../src/shared-health/index.ts";

export type Order =
  | { readonly type: "status" | "meet" | "end-cooldown" | "report" | "unload" }
  | { readonly type: "cool-down"; readonly ms: number }
  | { readonly type: "wait-held-back"; readonly limitMs: number }
  | { readonly type: "load"; readonly clients: number; readonly thinkMs: number; readonly cooldownMs?: number };

export interface LoadReport {
  /** Generations. */
  readonly started: number;
  readonly failed: readonly string[];
  /** How much longer than its calls each of those that ended took, in ms. */
  readonly took: readonly number[];
}

export interface ReplicaStatus extends LinkStatus {
  readonly said: readonly string[];
  readonly breakers: readonly { readonly phase: string }[];
}

const CHILD = fileURLToPath(new URL("replica-child.ts", import.meta.url));

/** A process that the test talks to. */
export class Replica {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, (value: unknown) => void>();
  #orders = 0;

  private constructor(args: readonly string[]) {
    this.#process = fork(CHILD, [...args], { execArgv: ["--no-warnings", "--import", "tsx"] });
    this.#process.on("message", ({ n, value }: { n: number; value: unknown }) => {
      this.#waiting.get(n)?.(value);
      this.#waiting.delete(n);
    });
  }

  static async start(redisUrl: string, prefix: string, providerUrl: string): Promise<Replica> {
    const replica = new Replica([redisUrl, prefix, providerUrl]);
    await new Promise((resolve, reject) => {
      replica.#waiting.set(0, resolve);
      replica.#process.once("exit", (code) => reject(new Error(`The process ended with ${code} before it was ready`)));
    });
    return replica;
  }

  ask<T>(order: Order): Promise<T> {
    const n = ++this.#orders;
    const answer = new Promise<T>((resolve) => this.#waiting.set(n, resolve as (value: unknown) => void));
    this.#process.send({ ...order, n });
    return answer;
  }

  status(): Promise<ReplicaStatus> {
    return this.ask({ type: "status" });
  }

  end(signal: NodeJS.Signals = "SIGKILL"): void {
    this.#process.kill(signal);
  }
}

/** A provider that answers as it is told to, and counts. */
export class Provider {
  calls = 0;
  underWay = 0;
  mostUnderWay = 0;
  /** What it answers now, and after how long. */
  answer: { readonly status: number; readonly afterMs: number } = { status: 200, afterMs: 20 };
  readonly #server = createServer((_request, response) => this.#serve(response));

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #serve(response: ServerResponse): void {
    this.calls++;
    this.underWay++;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
    const { status, afterMs } = this.answer;
    setTimeout(() => {
      this.underWay--;
      response.writeHead(status).end("{}");
    }, afterMs);
  }
}

/** Stands between the processes and Redis, and can be slow. */
export class SlowProxy {
  /** Every piece, in both directions, comes so much later. */
  delayMs = 0;
  readonly #sockets = new Set<Socket>();
  readonly #server;

  constructor(port: number) {
    this.#server = createTcpServer((socket) => {
      const other = connect(port, "127.0.0.1");
      this.#pipe(socket, other);
      this.#pipe(other, socket);
    });
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #pipe(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.setNoDelay(true);
    const later = (what: () => void): void => {
      if (this.delayMs === 0) what();
      else setTimeout(what, this.delayMs);
    };
    from.on("data", (data) => later(() => void (to.destroyed || to.write(data))));
    from.on("close", () => {
      this.#sockets.delete(from);
      later(() => to.destroy());
    });
    from.on("error", () => undefined);
  }
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
