import { existsSync } from "node:fs";
import { readCorpus, type Score, scoreCorpus } from "./score-corpus.ts";

/** The bar of `npm run corpus`, as shares of one. */
const BAR = { kind: 0.97, retryable: 0.98, hint: 1 };

const files = ["errors.jsonl", "more-errors.jsonl"].filter((file) => existsSync(new URL(file, import.meta.url)));
const scores = files.map((file) => ({ file, ...scoreCorpus(readCorpus(file)) }));

if (process.argv.includes("--json")) {
  console.log(JSON.stringify(scores, null, 2));
} else {
  for (const score of scores) print(score);
}
process.exitCode = scores.every(passes) ? 0 : 1;

function passes(score: Score): boolean {
  return score.kind >= BAR.kind && score.retryable >= BAR.retryable && score.hint >= BAR.hint;
}

function print(score: Score & { readonly file: string }): void {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  console.log(
    `${score.file}: ${score.total} errors, kind ${percent(score.kind)}, retryable ${percent(score.retryable)}, hint ${percent(score.hint)}`,
  );
  for (const miss of score.misses) {
    console.log(
      `  line ${miss.line} ${miss.provider}: ${miss.field} should be ${miss.wanted}, is ${miss.got} (${miss.evidence}) ${miss.message}`,
    );
  }
}
