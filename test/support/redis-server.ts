import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A Redis of our own on a free port, which keeps what it has when it is killed. */
export class RedisServer {
  readonly port: number;
  readonly #folder: string;
  readonly #fsync: string;
  readonly #more: readonly string[];
  #process: ChildProcess | undefined;

  private constructor(port: number, fsync: string, more: readonly string[]) {
    this.port = port;
    this.#fsync = fsync;
    this.#more = more;
    this.#folder = mkdtempSync(join(tmpdir(), "secondwind-redis-"));
  }

  static async start(fsync: "always" | "everysec" = "everysec", more: readonly string[] = []): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), fsync, more);
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const options = ["--port", String(this.port), "--bind", "127.0.0.1", "--dir", this.#folder, "--save", ""];
    const keeps = ["--appendonly", "yes", "--appendfsync", this.#fsync, ...this.#more];
    this.#process = spawn("redis-server", [...options, ...keeps], { stdio: "ignore" });
    await answers(this.port);
  }

  /** The signal goes to this very process. */
  kill(signal: NodeJS.Signals = "SIGKILL"): void {
    this.#process?.kill(signal);
  }

  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.#process?.once("exit", resolve));
    if (this.#process?.exitCode === null && this.#process.signalCode === null) {
      this.#process.kill("SIGKILL");
      await gone;
    }
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** Ready for commands, not only listening: it reads its file first. */
async function answers(port: number): Promise<void> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    if (await ping(port)) return;
    if (Date.now() > deadline) throw new Error(`redis-server on port ${port} does not answer`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function ping(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("PING\r\n"));
    const end = (isUp: boolean): void => {
      socket.destroy();
      resolve(isUp);
    };
    socket.once("data", (data) => end(data.toString().startsWith("+PONG")));
    socket.once("error", () => end(false));
    socket.setTimeout(1000, () => end(false));
  });
}
