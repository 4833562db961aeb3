import { hideOwnCodes } from "./hide-own-codes.ts";
import { type Labelled, readCorpus, readLines } from "./read-corpus.ts";
import { confusion, type Score, scoreCorpus } from "./score-corpus.ts";

const HELP = `npm run corpus [-- options]

Scores the classifier on corpus/*.jsonl. Fails if a line is judged wrongly that was seen and is not marked undecidable.

  --first-sight FILE…  only the totals of these files, not their misses: the figure for corpus/README.md
  --misses             every miss with its text (never of what was not seen)
  --json               for machines
`;

const OPTIONS = ["--help", "--first-sight", "--misses", "--json"];

const options = process.argv.slice(2);
const files = options.filter((option) => !option.startsWith("--"));
const isKnown = options.every((option) => files.includes(option) || OPTIONS.includes(option));
if (options.includes("--help")) process.stdout.write(HELP);
else if (!isKnown || options.includes("--first-sight") !== files.length > 0) refuse();
else if (files.length > 0) firstSight();
else scoreAll();

function refuse(): void {
  process.stderr.write(HELP);
  process.exitCode = 2;
}

function firstSight(): void {
  for (const file of files) say(file, scoreCorpus(readLines(file, file)));
}

function scoreAll(): void {
  const corpus = readCorpus();
  const score = scoreCorpus(corpus);
  if (options.includes("--json")) process.stdout.write(`${JSON.stringify(score, null, 2)}\n`);
  else report(corpus, score);
  process.exitCode = score.misses.some(({ item }) => item.seen) ? 1 : 0;
}

function report(corpus: readonly Labelled[], score: Score): void {
  say("all", score);
  say("seen when a rule was written", scoreCorpus(corpus.filter(({ seen }) => seen)));
  say("not seen", scoreCorpus(corpus.filter(({ seen }) => !seen)));
  say("without the rules of the error's own provider", scoreCorpus(hideOwnCodes(corpus)));
  write(`undecidable, not counted: ${corpus.filter(({ undecidable }) => undecidable !== undefined).length}`);
  for (const field of ["file", "kind", "provider"] as const) group(corpus, field);
  write("\nTaken for another kind:");
  for (const [wanted, got, count] of confusion(score.misses)) write(`  ${wanted} → ${got}: ${count}`);
  const hidden = scoreCorpus(hideOwnCodes(corpus));
  write("\nThe same without the rules of the error's own provider:");
  for (const [wanted, got, count] of confusion(hidden.misses).slice(0, 12)) write(`  ${wanted} → ${got}: ${count}`);
  write("");
  // The misses of what nobody has looked at stay unread: they are the measure.
  for (const { item, field, wanted, got, evidence, message } of score.misses.filter(({ item }) => item.seen)) {
    const text = options.includes("--misses") ? ` ${message}` : "";
    write(`  ${item.file} ${item.id}: ${field} should be ${wanted}, is ${got} (${evidence})${text}`);
  }
}

function group(corpus: readonly Labelled[], field: "file" | "kind" | "provider"): void {
  write(`\nBy ${field}:`);
  const names = [...new Set(corpus.map((item) => item[field]))].sort();
  const few: Labelled[] = [];
  for (const name of names) {
    const items = corpus.filter((item) => item[field] === name);
    // A share of three errors says nothing.
    if (field === "provider" && items.length < 8) few.push(...items);
    else say(`  ${name}`, scoreCorpus(items));
  }
  if (few.length > 0) say("  all others", scoreCorpus(few));
}

function say(name: string, { total, kind, retryable, hint, given }: Score): void {
  if (total === 0) return write(`${name}: none`);
  const percent = (share: number) => (Number.isNaN(share) ? "none" : `${(share * 100).toFixed(1)} %`);
  write(
    `${name}: ${total} errors, kind ${percent(kind)}, retryable ${percent(retryable)}, hint ${percent(hint)} (where one is given: ${percent(given)})`,
  );
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
