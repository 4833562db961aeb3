import { setTimeout } from "node:timers/promises";
import { openStore } from "../../src/store/open-store.ts";
import { loadDriver } from "../../src/store/sqlite/load-driver.ts";
import type { Found, Wrote } from "./kill-rounds.ts";

const [task = "", path = "", id = "", count = "Infinity"] = process.argv.slice(2);

/** Says whether the store opens for somebody to whom file modes mean something. */
async function open(): Promise<void> {
  // Loaded while we may still read everything.
  await loadDriver();
  if (process.getuid?.() === 0) process.setuid?.(65534);
  const said = await openStore({ path }).then(
    () => "opened",
    (fault: { code: string; message: string }) => `${fault.code}: ${fault.message}`,
  );
  process.stdout.write(said);
}

/** Says how many entries it found, then appends and says each seq once it is promised, until it is killed or has made `count`. */
async function append(): Promise<void> {
  const { conversations } = await openStore({ path, busyTimeoutMs: 60_000 });
  if ((await conversations.get(id)) === undefined) await conversations.create({ id, title: id }).catch(() => undefined);
  const { entries: found = 0 } = (await conversations.get(id)) ?? {};
  process.stdout.write(`${found}\n`);
  for (let n = 0; n < Number(count); n += 1) {
    // Two at once every now and then, so that a transaction of several is cut as well.
    const pair = [[1], [1, 2, 3]].slice(0, 1 + (n % 2));
    const seqs = await Promise.all(
      pair.map((entries) =>
        conversations.append(
          id,
          entries.map((part) => ({
            type: "message",
            data: { pid: process.pid, n, part, of: entries.length } satisfies Wrote,
          })),
        ),
      ),
    );
    // Synchronous: what was not said was not promised, and what was said is in the pipe.
    process.stdout.write(`${seqs.join("\n")}\n`);
    // Others get a turn: SQLite's busy handler is not fair, and a process that never stops would keep them waiting.
    await setTimeout(2);
  }
}

/** Says what is there, as a process that comes after the killed ones finds it. */
async function look(): Promise<void> {
  const { conversations, close } = await openStore({ path });
  const found: Found = { integrity: [], conversations: {} };
  for (const { id, entries: counted } of await conversations.list()) {
    const entries = (await conversations.read(id)).map(({ seq, data }) => ({ seq, ...(data as Wrote) }));
    found.conversations[id] = { counted, entries };
  }
  await close();
  const openDatabase = await loadDriver();
  const rows = openDatabase(path, 0).prepare("PRAGMA integrity_check").all() as { integrity_check: string }[];
  found.integrity = rows.map((row) => row.integrity_check);
  process.stdout.write(JSON.stringify(found));
}

const TASKS: Readonly<Record<string, () => Promise<void>>> = { open, append, look };
await TASKS[task]?.();
