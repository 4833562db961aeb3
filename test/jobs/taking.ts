import type { Connections } from "../../src/jobs/redis/connect.ts";

export const KEYS = "{secondwind}:sw";

export interface TakeOptions {
  readonly worker?: string;
  readonly nonce?: string;
  readonly limit?: number;
  readonly leaseMs?: number;
  readonly poisonAfter?: number;
  readonly takesSuspect?: boolean;
  readonly now?: number;
}

export interface Taken {
  readonly how: "run" | "poison";
  readonly epoch: number;
  readonly id: string;
}

let nonces = 0;

/** Takes jobs as a worker does, without running them. */
export async function take(scripts: Connections, options: TakeOptions = {}): Promise<readonly Taken[]> {
  const { worker = "w", nonce = `nonce-${++nonces}`, limit = 100, leaseMs = 10_000, poisonAfter = 25 } = options;
  const { now = Date.now() } = options;
  const bounds = [limit, leaseMs, poisonAfter, 0, options.takesSuspect === false ? 0 : 1];
  const answers = await scripts.run("take", nonce, worker, now, ...bounds);
  return (answers as readonly (readonly [Taken["how"], number, readonly string[]])[]).map(([how, epoch, job]) => ({
    ...{ how, epoch },
    id: job[3] ?? "",
  }));
}

/** The lease of a worker that is gone. Others were heard of all the time. */
export async function lapse(scripts: Connections, ...ids: readonly string[]): Promise<void> {
  await scripts.client.hset(`${KEYS}:pulse`, "at", Date.now(), "since", 1);
  for (const id of ids) await scripts.client.zadd(`${KEYS}:leases`, "XX", 1, id);
}

export function commit(scripts: Connections, id: string, epoch: number, text: string): Promise<unknown> {
  const result = JSON.stringify({ text });
  return scripts.run("commit", id, epoch, "done", Date.now(), 1, "", "{}", result, "", "", 0, 0);
}
