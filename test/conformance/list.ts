import { coveringTests } from "./covering-tests.ts";

// `npm run conformance`: every requirement with its tests. `--short` prints the names only.
const isShort = process.argv.includes("--short");
const covered = coveringTests();
const due = covered.filter(({ isPlanned }) => !isPlanned);
const untested = due.filter(({ tests }) => tests.length === 0);
const planned = covered.filter(({ isPlanned }) => isPlanned);

for (const { id, name, text, tests, isPlanned } of covered) {
  if (isPlanned && tests.length === 0) continue;
  console.log(`${id.padEnd(5)}${String(tests.length).padStart(4)} tests  ${isShort ? name : `${name}. ${text}`}`);
  if (!isShort) for (const { file, title } of tests) console.log(`            ${title}  (${file})`);
}
console.log(`\n${due.length - untested.length} of ${due.length} requirements have tests.`);
console.log(`Planned: ${planned.map(({ id }) => id).join(" ")}`);
if (untested.length > 0) {
  console.error(`Without a test: ${untested.map(({ id }) => id).join(" ")}`);
  process.exitCode = 1;
}
