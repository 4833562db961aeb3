import { checkLine, LEAST, nearDuplicates, spreadOf } from "./check-corpus.ts";
import { type Labelled, readCorpus } from "./read-corpus.ts";

// `npm run corpus:check`: the form of every line, near-duplicates, and how far the corpus spreads.
const corpus = readCorpus();
const faults = corpus.flatMap((item) => checkLine(item).map((field) => `${item.file} ${item.id}: invalid ${field}`));
const ids = corpus.map(({ id }) => id);
faults.push(...ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `${id}: the id is used twice`));
const sound = corpus.filter((item) => checkLine(item).length === 0);
faults.push(...nearDuplicates(sound).map(([first, second]) => `${second}: the same situation as ${first}`));
const spread = spreadOf(sound);
for (const name of Object.keys(LEAST) as (keyof typeof LEAST)[]) {
  process.stdout.write(`${name}: ${spread[name]} (at least ${LEAST[name]})\n`);
  if (spread[name] < LEAST[name]) faults.push(`${name}: ${spread[name]}, at least ${LEAST[name]} are needed`);
}
for (const field of ["provider", "kind", "language", "where"] as const) list(field);
process.stdout.write(`\nfaults: ${faults.length}\n`);
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;

function list(field: "provider" | "kind" | "language" | "where"): void {
  const counts = new Map<string, number>();
  for (const item of corpus) counts.set(item[field], (counts.get(item[field]) ?? 0) + 1);
  const sorted = [...counts].sort(([, a], [, b]) => b - a) satisfies [Labelled[typeof field], number][];
  process.stdout.write(
    `\n${field} (${sorted.length}): ${sorted.map(([name, count]) => `${name} ${count}`).join(", ")}\n`,
  );
}
