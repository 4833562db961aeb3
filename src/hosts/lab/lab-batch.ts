import { sayDuration } from "../../kernel/model/say-duration.ts";
import { type BatchFigures, FEEDS, runBatch } from "../../simulator/lab/index.ts";
import { parseNumber } from "../../terminal/parse-number.ts";
import type { LabOptions } from "./parse-options.ts";

/** The scenario that compares ways to send a batch, not policies. */
export const BATCH_SCENARIO = "rate-limited-batch";
const LINES = 3000;
const PER_MINUTE = 600;

/** Runs a batch against a rate limit, paced and with fixed numbers of lines at a time. Returns what to print. */
export async function labBatch(options: LabOptions): Promise<string> {
  const seeds = parseNumber("--seeds", options.seeds, { min: 1, max: 1000, integer: true });
  const firstSeed = parseNumber("--first-seed", options.firstSeed, { min: 0, max: 2 ** 31 - 1, integer: true });
  const rows: { readonly name: string; readonly figures: BatchFigures }[] = [];
  for (const feed of FEEDS) {
    const runs: BatchFigures[] = [];
    for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
      runs.push(await runBatch({ feed, seed, lines: LINES, perMinute: PER_MINUTE }));
    }
    rows.push({ name: feed.name, figures: mean(runs) });
  }
  if (options.json === true) {
    const feeds = rows.map(({ name, figures }) => ({ name, ...rounded(figures) }));
    return `${JSON.stringify({ scenario: BATCH_SCENARIO, lines: LINES, perMinute: PER_MINUTE, seeds, firstSeed, feeds }, undefined, 2)}\n`;
  }
  const table = rows.map(({ name, figures }) => {
    const { finishSeconds, limited, amplification, ofLimit, failed } = figures;
    const cells = [
      sayDuration(finishSeconds * 1000),
      percent(ofLimit),
      percent(limited),
      `${amplification.toFixed(2)}×`,
      percent(failed),
    ];
    return [name, ...cells];
  });
  const head = ["sent", "finished in", "of the limit", "got 429", "calls per line", "failed"];
  const widths = head.map((title, at) => Math.max(title.length, ...table.map((row) => row[at]?.length ?? 0)));
  const lines = [head, ...table].map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join("  "),
  );
  const intro = `${LINES.toLocaleString("en-US")} lines, answers in 0.5 s on average, ${PER_MINUTE} calls accepted per minute, the rest get 429`;
  return `\n  Rate-limited batch\n  ${intro}\n  with the time until the next minute. ${seeds === 1 ? "One seed" : `Mean of ${seeds} seeds`}.\n\n${lines.map((line) => `  ${line}\n`).join("")}\n`;
}

function mean(runs: readonly BatchFigures[]): BatchFigures {
  const of = (key: keyof BatchFigures): number => runs.reduce((sum, run) => sum + run[key], 0) / runs.length;
  return {
    finishSeconds: of("finishSeconds"),
    limited: of("limited"),
    amplification: of("amplification"),
    ofLimit: of("ofLimit"),
    failed: of("failed"),
  };
}

function rounded(figures: BatchFigures): Record<string, number> {
  return Object.fromEntries(Object.entries(figures).map(([key, value]) => [key, Math.round(value * 10_000) / 10_000]));
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
