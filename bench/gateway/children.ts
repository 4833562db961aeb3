import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { availableParallelism } from "node:os";

/** How long one request to a child may take, and how long it may take to start. */
const PATIENCE_MS = 30_000;

export interface Usage {
  readonly cpuUs: number;
  readonly rss: number;
  readonly heapUsed: number;
  readonly external: number;
  /** The kinds of what keeps the process alive: `TCPSocketWrap`, `Timeout`, … */
  readonly resources: readonly string[];
}

/** A process that the bench has started. It ends with the bench, however that ends. */
export interface Child {
  readonly port: number;
  ask<Answer>(command: string, options?: object): Promise<Answer>;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(130));

const PROBE = new URL("probe.mjs", import.meta.url).href;

const CAN_PIN = process.platform === "linux" && availableParallelism() > 1 && !spawnSync("taskset", ["-V"]).error;

/**
 * Keeps a process on one core, with all that it has started and will start. Without it chance decides whether a gateway has a core of its
 * own or shares one with the load generator, and that weighs more than how good it is.
 */
function pin(pid: number, core: number): void {
  if (CAN_PIN) spawnSync("taskset", ["-a", "-p", "-c", String(core), String(pid)]);
}

/** Starts a Node script, which sends `{ port }` when it is ready. With `port` it is ready when it listens there. */
export async function startChild(
  script: string,
  args: readonly string[],
  { port, core }: { readonly port?: number; readonly core?: number } = {},
): Promise<Child> {
  const flags = ["--no-warnings", "--expose-gc", "--import", PROBE];
  const child = spawn(process.execPath, [...flags, script, ...args], { stdio: ["ignore", "ignore", "pipe", "ipc"] });
  if (core !== undefined && child.pid !== undefined) pin(child.pid, core);
  running.add(child);
  child.once("exit", () => running.delete(child));
  let complaint = "";
  child.stderr?.on("data", (bytes: Buffer) => {
    complaint = (complaint + bytes.toString()).slice(-2000);
  });
  let last = 0;
  const ask = async <Answer>(command: string, options: object = {}): Promise<Answer> => {
    const id = ++last;
    child.send({ ...options, id, command });
    const answer = await messageOf(
      child,
      (message) => message.id === id,
      () => complaint,
    );
    if (typeof answer.error === "string") throw new Error(answer.error);
    return answer as Answer;
  };
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  if (port !== undefined) {
    await untilListening(port, () => child.exitCode === null);
    return { port, ask, stop };
  }
  const ready = await messageOf(
    child,
    (message) => message.port !== undefined,
    () => complaint,
  );
  return { port: Number(ready.port), ask, stop };
}

type Message = Readonly<Record<string, unknown>>;

function messageOf(
  child: ChildProcess,
  isIt: (message: Message) => boolean,
  complaint: () => string,
): Promise<Message> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      child.off("message", onMessage);
      child.off("exit", onExit);
      act();
    };
    const onMessage = (message: Message): void => {
      if (isIt(message)) settle(() => resolve(message));
    };
    const onExit = (): void => settle(() => reject(new Error(`The process ended: ${complaint()}`)));
    const timer = setTimeout(
      () => settle(() => reject(new Error(`No answer within ${PATIENCE_MS / 1000} s`))),
      PATIENCE_MS,
    );
    child.on("message", onMessage);
    child.on("exit", onExit);
  });
}

async function untilListening(port: number, isRunning: () => boolean): Promise<void> {
  const untilMs = performance.now() + PATIENCE_MS;
  while (isRunning() && performance.now() < untilMs) {
    const isUp = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
    if (isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`Nothing listens on port ${port}`);
}
