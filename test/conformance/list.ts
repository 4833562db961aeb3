import { coveringTests, DUE } from "./covering-tests.ts";

const isShort = process.argv.includes("--short");
const covered = coveringTests();
for (const { id, promise, tests } of covered) {
  if (tests.length === 0 && !DUE.includes(id)) continue;
  console.log(`${id.padEnd(5)}${String(tests.length).padStart(4)} tests  ${promise}`);
  if (!isShort) for (const { file, title } of tests) console.log(`            ${title}  (${file})`);
}
const missing = DUE.filter((id) => covered.find((entry) => entry.id === id)?.tests.length === 0);
const later = covered.filter(({ id, tests }) => tests.length === 0 && !DUE.includes(id)).map(({ id }) => id);
console.log(`\n${DUE.length - missing.length} of ${DUE.length} requirements that are due have tests.`);
if (later.length > 0) console.log(`Not due yet, and without a test: ${later.join(" ")}`);
if (missing.length > 0) {
  console.error(`Without a test: ${missing.join(" ")}`);
  process.exitCode = 1;
}
