import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeCalls, readEntries } from "../../src/session/record/context.ts";
import { openStore } from "../../src/store/index.ts";
import { bundledChild } from "../support/bundled-child.ts";
import { often } from "../support/soak.ts";
import { contextOf, expectLegal } from "./legal-history.ts";
import type { Said } from "./turns-child.ts";

const KILLS = often(24, 1000);
const LANES = 2;
/** Counted in entries, so that a busy machine gets as far; the moment after the last of them is left to chance. */
const MOST_ENTRIES = 6;
const LONGEST_MOMENT_MS = 60;
const CHILD = bundledChild(join(import.meta.dirname, "turns-child.ts"));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "secondwind-turns-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Entries that a process had acknowledged, with the seq that follows from what it found. */
type Promised = Map<number, unknown>;

interface Life {
  readonly path: string;
  readonly id: string;
  readonly args?: readonly string[];
  /** After how many entries it is killed; left out: it ends by itself. */
  readonly entries?: number;
}

async function live({ path, id, args = [], entries }: Life): Promise<readonly Said[]> {
  const child = spawn(process.execPath, [CHILD, path, id, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env.PATH ?? "", HOME: folder },
  });
  let said = "";
  let isDoomed = entries === undefined;
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    said += chunk;
    if (isDoomed || said.split('"kept"').length <= (entries as number)) return;
    isDoomed = true;
    setTimeout(() => child.kill("SIGKILL"), Math.random() * LONGEST_MOMENT_MS);
  });
  const [code, signal] = await once(child, "close");
  expect([code, signal]).toEqual(entries === undefined ? [0, null] : [null, "SIGKILL"]);
  // A line without its end was not said.
  return said
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Said);
}

function note(promised: Promised, said: readonly Said[]): void {
  const [found, ...rest] = said;
  // All that had been acknowledged was there when the next process looked.
  const entries = found?.type === "found" ? found.entries : -1;
  expect(entries).toBeGreaterThanOrEqual(Math.max(0, ...promised.keys()));
  const kept = rest.flatMap((line) => (line.type === "kept" ? [line.data] : []));
  for (const [place, data] of kept.entries()) promised.set(entries + place + 1, data);
}

async function expectKept(path: string, id: string, promised: Promised): Promise<void> {
  const store = await openStore({ path });
  const entries = await store.conversations.read(id);
  await store.close();
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, place) => place + 1));
  for (const [seq, data] of promised) expect(entries[seq - 1]?.data).toEqual(data);
  // Nothing is there that this version does not understand, and the model would be told a history that it takes.
  expect(readEntries(entries)).toHaveLength(entries.length);
  expectLegal(closeCalls(contextOf(entries)));
}

test(
  "S6, S8: after kill -9 at any moment of a turn every acknowledged entry is stored, and the conversation continues",
  async () => {
    const path = join(folder, "store", "secondwind.db");
    const lanes = Array.from({ length: LANES }, (_, lane) => ({ id: `talk-${lane}`, promised: new Map() as Promised }));
    await Promise.all(
      lanes.map(async ({ id, promised }) => {
        for (let killed = 0; killed < KILLS / LANES; killed++) {
          note(promised, await live({ path, id, entries: 1 + ((killed * 5) % MOST_ENTRIES) }));
          await expectKept(path, id, promised);
        }
      }),
    );
    for (const { id, promised } of lanes) {
      const last = await live({ path, id, args: ["sim/ok", "1"] });
      note(promised, last);
      expect(last.at(-1)).toEqual({ type: "ended", status: "done" });
      await expectKept(path, id, promised);
      // They were killed at work.
      expect(promised.size).toBeGreaterThan((KILLS / LANES) * 2);
    }
  },
  30_000 + KILLS * 3000,
);
