import { fileURLToPath } from "node:url";
import { readArguments } from "./arguments.ts";
import { type Child, startChild } from "./children.ts";
import { CONTESTANTS, type Name, prepare, Unavailable } from "./contestants.ts";
import { type Bench, measureRound, type Sample } from "./measures.ts";
import { barsOf, type Missing, print, summarise } from "./report.ts";

const { rounds, only, isJson } = readArguments(process.argv.slice(2));
const [load, upstream] = await Promise.all([startHere("load.mjs"), startHere("upstream.mjs")]);
const bench: Bench = { load, upstream };
const samples = new Map<Name, Sample[]>();
const missing: Missing[] = [];

for (const name of CONTESTANTS) {
  if (!only.has(name)) continue;
  await attempt(name, "preparing", async () => {
    await prepare(name);
    samples.set(name, []);
  });
}
for (let round = 0; round < rounds; round++) {
  for (const [name, found] of turned(round)) {
    await attempt(name, `round ${round + 1} of ${rounds}`, async () => {
      found.push(await measureRound(bench, name));
    });
  }
}
await Promise.all([load.stop(), upstream.stop()]);
if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");

const figures = summarise(samples);
const bars = barsOf(figures, figures.has("secondwind") ? "secondwind" : "prototype");
if (isJson) {
  const result = { node: process.version, rounds, figures: Object.fromEntries(figures), bars, missing };
  console.log(JSON.stringify(result, null, 2));
} else print({ figures, bars, missing, rounds });
const isOursMissed = bars.some(({ name, isReached }) => name === "secondwind" && !isReached);
const isOursBroken = missing.some(({ name, isBroken }) => name === "secondwind" && isBroken);
process.exit(isOursMissed || isOursBroken ? 1 : 0);

function startHere(script: string): Promise<Child> {
  return startChild(fileURLToPath(new URL(script, import.meta.url)), [], { core: 1 });
}

/** Another one goes first in each round. */
function turned(round: number): [Name, Sample[]][] {
  const all = [...samples];
  const from = round % Math.max(1, all.length);
  return [...all.slice(from), ...all.slice(0, from)];
}

/** A contestant that fails is left out with the reason; the others go on. Without direct and pipe there is nothing to compare with. */
async function attempt(name: Name, step: string, act: () => Promise<void>): Promise<void> {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${name}: ${step} …`);
  try {
    await act();
  } catch (error) {
    if (name === "direct" || name === "pipe") throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const isBroken = !(error instanceof Unavailable);
    missing.push({ name, reason: isBroken ? `${step}: ${reason}` : reason, isBroken });
    samples.delete(name);
  }
}
