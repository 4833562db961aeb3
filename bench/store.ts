import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openStore } from "../src/store/index.ts";
import { median } from "./measure.ts";

/** Appends to the store beside the least that durability costs: a write and a wait for the disk. Only ratios mean anything. */
const SAMPLE_MS = 400;
const AT_ONCE = 100;
const entry = { type: "message", data: { role: "user", content: "x".repeat(400) } };
const line = Buffer.from(`${JSON.stringify(entry)}\n`);

interface Contender {
  readonly name: string;
  /** Makes so many entries durable. */
  readonly entries: number;
  operate(): Promise<unknown>;
}

async function entriesPerSecond({ entries, operate }: Contender): Promise<number> {
  const start = performance.now();
  let made = 0;
  while (performance.now() - start < SAMPLE_MS) {
    await operate();
    made += entries;
  }
  return (made / (performance.now() - start)) * 1000;
}

const { values } = parseArgs({ options: { rounds: { type: "string", default: "7" } } });
const folder = mkdtempSync(join(process.env.BENCH_FOLDER ?? tmpdir(), "secondwind-bench-"));
const file = openSync(join(folder, "floor"), "a");
const store = await openStore({ path: join(folder, "secondwind.db") });
await store.conversations.create({ id: "c", title: "" });
const append = (): Promise<number> => store.conversations.append("c", [entry]);

const contenders: readonly Contender[] = [
  {
    name: "a line in a file, with fdatasync",
    entries: 1,
    operate: async () => {
      writeSync(file, line);
      fdatasyncSync(file);
    },
  },
  { name: "append, one after another", entries: 1, operate: append },
  {
    name: `append, ${AT_ONCE} at once`,
    entries: AT_ONCE,
    operate: () => Promise.all(Array.from({ length: AT_ONCE }, append)),
  },
  {
    name: `one append of ${AT_ONCE} entries`,
    entries: AT_ONCE,
    operate: () =>
      store.conversations.append(
        "c",
        Array.from({ length: AT_ONCE }, () => entry),
      ),
  },
];

const samples = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
for (let round = 0; round < Number(values.rounds); round++) {
  for (const contender of contenders) samples.get(contender.name)?.push(await entriesPerSecond(contender));
}
const floor = median(samples.get(contenders[0]?.name ?? "") ?? []);
for (const [name, rates] of samples) {
  const rate = median(rates);
  console.log(
    `${name.padEnd(36)} ${Math.round(rate).toString().padStart(8)} a second ${(rate / floor).toFixed(2).padStart(8)}×`,
  );
}
await store.close();
closeSync(file);
rmSync(folder, { recursive: true, force: true });
