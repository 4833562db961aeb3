import { once } from "node:events";
import { expect } from "vitest";
import { runStoreChild, startStoreChild } from "./store-child.ts";

/** What a killed process wrote in each entry: its pid, its how-many-eth append, and which part of how many this is. */
export interface Wrote {
  readonly pid: number;
  readonly n: number;
  readonly part: number;
  readonly of: number;
}

/** What is there afterwards. */
export interface Found {
  integrity: readonly string[];
  readonly conversations: Record<
    string,
    { readonly counted: number; readonly entries: readonly (Wrote & { readonly seq: number })[] }
  >;
}

export interface Promised {
  readonly id: string;
  readonly pid: number;
  readonly seqs: readonly number[];
}

/** Each has one process at a time, which is killed and followed by the next; two write into the same conversation. */
const LANES = ["alone", "shared", "shared", "another"];
const LONGEST_LIFE_MS = 40;

/** Kills `count` processes that append, four at work at a time, each at a moment of its own; adds what they had promised. */
export async function killMany(path: string, count: number, promises: Promised[]): Promise<void> {
  const kill = async (id: string): Promise<void> => {
    for (let killed = 0; killed < count / LANES.length; killed++) promises.push(await killOne(path, id, promises));
  };
  await Promise.all(LANES.map(kill));
}

async function killOne(path: string, id: string, promises: readonly Promised[]): Promise<Promised> {
  const promised = lastSeq(promises, id);
  const child = startStoreChild(["append", path, id]);
  const { pid = 0, stdout } = child;
  const lifeMs = Math.random() * LONGEST_LIFE_MS;
  // Some are killed at some moment of their start, the others once they are at work.
  let isDoomed = Math.random() < 0.2;
  let said = "";
  const kill = (): void => void setTimeout(() => child.kill("SIGKILL"), lifeMs);
  if (isDoomed) kill();
  stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    said += chunk;
    // The first line is what it found, the second its first entry.
    const isAtWork = said.indexOf("\n") !== said.lastIndexOf("\n");
    if (isDoomed || !isAtWork) return;
    isDoomed = true;
    kill();
  });
  const [, signal] = await once(child, "close");
  expect(signal).toBe("SIGKILL");
  // A line without its end was not said.
  const [found = promised, ...seqs] = said.split("\n").slice(0, -1).map(Number);
  expect(found).toBeGreaterThanOrEqual(promised);
  return { id, pid, seqs };
}

function lastSeq(promises: readonly Promised[], id: string): number {
  return Math.max(0, ...promises.flatMap((promise) => (promise.id === id ? promise.seqs : [])));
}

/** Everything that was promised is there; nothing is half there; the numbers have no gap. */
export async function expectKept(path: string, promises: readonly Promised[]): Promise<void> {
  const { integrity, conversations } = JSON.parse(await runStoreChild(["look", path])) as Found;
  expect(integrity).toEqual(["ok"]);
  for (const { counted, entries } of Object.values(conversations)) {
    expect(entries.every(({ seq }, index) => seq === index + 1)).toBe(true);
    expect(counted).toBe(entries.length);
    // Parts of one append stand side by side, from the first to the last.
    expect(entries.filter(({ part, of }, index) => !isWhole(entries, index - part + 1, of))).toEqual([]);
  }
  for (const { id, pid, seqs } of promises) {
    const lost = seqs.filter((seq) => conversations[id]?.entries[seq - 1]?.pid !== pid);
    expect(lost).toEqual([]);
  }
}

function isWhole(entries: readonly Wrote[], start: number, length: number): boolean {
  const { pid, n } = entries[start] ?? {};
  return Array.from({ length }, (_, k) => entries[start + k]).every(
    (entry, k) => entry?.pid === pid && entry?.n === n && entry?.of === length && entry.part === k + 1,
  );
}
