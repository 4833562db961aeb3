import { Redis, type RedisOptions } from "ioredis";
import { JobsError } from "../jobs-error.ts";
import { callTogether } from "./call-together.ts";
import { reconnectPauseMs } from "./reconnect.ts";
import { FOR_MANY, SCRIPTS } from "./scripts.ts";
import { within } from "./within.ts";

type ScriptName = keyof typeof SCRIPTS;
type BlockingOptions = Pick<RedisOptions, "blockingTimeout" | "blockingTimeoutGrace">;
type Runner = (...values: (string | number)[]) => Promise<unknown>;

/** Commands that get no answer for so long have failed; a caller may ask again. */
const COMMAND_TIMEOUT_MS = 5000;
const CONNECT_TIMEOUT_MS = 5000;
const MAY_BE_DONE = " What was asked may have been done: submit a job again with the same key.";

/** Comes back after every outage. */
const STEADY = {
  maxRetriesPerRequest: null,
  connectTimeout: CONNECT_TIMEOUT_MS,
  retryStrategy: reconnectPauseMs,
} satisfies RedisOptions;

export interface Connections {
  /** For our own commands: they time out. */
  readonly client: Redis;
  /** For what others publish. */
  readonly subscriber: Redis;
  run(name: ScriptName, ...values: (string | number)[]): Promise<unknown>;
  /** Commands that change nothing. */
  read<T>(ask: (client: Redis) => Promise<T>): Promise<T>;
  /** One more, for commands that block. It is closed with the others. */
  open(options?: BlockingOptions): Redis;
  close(): void;
}

/** Connects and checks that Redis keeps what was accepted. `report`: faults of the connections; each outage once. */
export async function connect(
  url: string,
  keys: string,
  isPersistenceNeeded: boolean,
  report: (fault: unknown) => void,
): Promise<Connections> {
  const client = new Redis(url, {
    ...STEADY,
    lazyConnect: true,
    enableAutoPipelining: true,
    // Those wait for the answers to the commands before them; our scripts go out at once, so that Redis is busy while we are.
    autoPipeliningIgnoredCommands: Object.keys(SCRIPTS).map((name) => `sw_${name}`),
    commandTimeout: COMMAND_TIMEOUT_MS,
    // Counts only while a command waits for its answer: then the connection is half open.
    socketTimeout: COMMAND_TIMEOUT_MS + 1000,
  });
  const once = outages(report);
  // Until it has connected once, its faults are those of the call.
  let why: unknown;
  const note = (fault: unknown): void => {
    why = fault;
  };
  client.on("error", note);
  try {
    await client.connect();
    await checkSafety(client, isPersistenceNeeded);
  } catch (cause) {
    client.disconnect();
    throw cause instanceof JobsError ? cause : unreachable(client, why ?? cause);
  }
  client.off("error", note);
  once.watch(client);
  for (const [name, lua] of Object.entries(SCRIPTS)) client.defineCommand(`sw_${name}`, { numberOfKeys: 1, lua });
  const scripts = client as unknown as Record<string, Runner>;
  const ready = readiness(client);
  const send = async (name: ScriptName, values: readonly (string | number)[]): Promise<unknown> => {
    if (client.status !== "ready") await ready();
    return (scripts[`sw_${name}`] as Runner).call(client, keys, ...values).catch(explain(MAY_BE_DONE));
  };
  const together = new Map([...FOR_MANY].map((name) => [name, callTogether((values) => send(name, values))]));
  const all = [client];
  const open = (options: BlockingOptions = {}): Redis => {
    const connection = new Redis(url, { ...STEADY, ...options });
    once.watch(connection);
    all.push(connection);
    return connection;
  };
  return {
    ...{ client, open },
    subscriber: open(),
    read: async (ask) => {
      if (client.status !== "ready") await ready();
      return ask(client).catch(explain(""));
    },
    run: (name, ...values) => together.get(name)?.(values) ?? send(name, values),
    close: () => {
      for (const connection of all) connection.disconnect();
    },
  };
}

/** All connections break together: one line for an outage. */
function outages(report: (fault: unknown) => void): { watch(connection: Redis): void } {
  let isDown = false;
  return {
    watch: (connection) => {
      connection.on("error", (fault) => {
        if (!isDown && connection.status !== "end") report(fault);
        isDown = true;
      });
      connection.on("ready", () => {
        isDown = false;
      });
    },
  };
}

function unreachable({ options }: Redis, cause: unknown): JobsError {
  const why = cause instanceof Error ? cause.message : String(cause);
  const place = options.path ?? `${options.host}:${options.port}`;
  return new JobsError("unreachable", `Redis at ${place} cannot be reached (${why}). Check REDIS_URL.`, { cause });
}

/**
 * Waits for a connection that is coming back, as long as for an answer. In the queue of the client a command would stay after its caller
 * was told that it failed: after a long outage hundreds of them would be sent, and a job would be accepted that was refused.
 */
function readiness(client: Redis): () => Promise<void> {
  const waiting = new Set<() => void>();
  const settle = (): void => {
    for (const go of waiting) go();
  };
  client.on("ready", settle);
  client.on("end", settle);
  return async () => {
    if (client.status === "end") throw new JobsError("unreachable", "The connection to Redis was closed.");
    let go = (): void => undefined;
    const back = new Promise<void>((resolve) => {
      go = resolve;
    });
    waiting.add(go);
    await within(COMMAND_TIMEOUT_MS, back);
    waiting.delete(go);
    if (client.status === "ready") return;
    throw new JobsError("unreachable", "Redis cannot be reached. What was asked was not done.");
  };
}

/** What a caller is told when a command got no answer in time. */
function explain(consequence: string): (fault: unknown) => never {
  return (fault) => {
    if (!(fault instanceof Error) || fault.message !== "Command timed out") throw fault;
    throw new JobsError("unreachable", `Redis does not answer.${consequence}`, { cause: fault });
  };
}

/** A Redis that evicts or forgets would lose accepted jobs. From `INFO`, because managed ones forbid `CONFIG`. */
async function checkSafety(client: Redis, isPersistenceNeeded: boolean): Promise<void> {
  const [memory, persistence] = await Promise.all([client.info("memory"), client.info("persistence")]);
  const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1] ?? "unknown";
  if (policy !== "noeviction") {
    throw new JobsError(
      "unsafe-redis",
      `Redis may delete jobs when its memory is full: maxmemory-policy is ${policy}. Set "maxmemory-policy noeviction".`,
    );
  }
  if (!isPersistenceNeeded || /^aof_enabled:1/m.test(persistence)) return;
  throw new JobsError(
    "unsafe-redis",
    'Redis would lose accepted jobs when it restarts: appendonly is off. Set "appendonly yes" (and "appendfsync always" ' +
      "to survive a power cut), or accept the loss with SECONDWIND_REDIS_MAY_FORGET=1.",
  );
}
