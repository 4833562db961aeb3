import { sayDuration } from "../../../terminal/index.ts";
import type { InputSurvey } from "../input/survey-input.ts";
import type { OutputSurvey } from "../output/read-output.ts";
import { plain } from "./progress-lines.ts";

interface DryRun {
  readonly file: string;
  readonly output: string;
  readonly model: string;
  readonly input: InputSurvey;
  readonly written: OutputSurvey;
  readonly todo: number;
  readonly isRetryingFailed: boolean;
}

const PER_MINUTE = [60, 600, 6000] as const;

/** What a run would do: counts, and an estimate. */
export function sayDryRun({ file, output, model, input, written, todo, isRetryingFailed }: DryRun): string {
  const { done, failed, outputTokens } = written;
  const failedLines = isRetryingFailed ? "to be asked again" : "left as they are; --retry-failed asks them again";
  const perAnswer = done === 0 ? undefined : Math.round(outputTokens / done);
  const rows = [
    `${file}: ${count(input.lines, "line")}`,
    `  to do:   ${plain(todo)}, with ${model}`,
    `  done:    ${plain(done)} in ${output}`,
    ...(failed === 0 ? [] : [`  failed:  ${plain(failed)} in ${output}, ${failedLines}`]),
    ...(input.bad === 0 ? [] : [`  bad:     ${plain(input.bad)}, which get an error as their result`]),
    ...input.firstBad.map(({ error }) => `    ${error}`),
    ...(input.withModel === 0 ? [] : [`  ${count(input.withModel, "line")} to do with a model of their own`]),
    "Estimate:",
    `  input:   about ${count(input.tokens, "token")}`,
    perAnswer === undefined
      ? "  output:  not known before the first answers"
      : `  output:  about ${count(perAnswer * todo, "token")}: ${plain(perAnswer)} per answer so far`,
    `  time:    ${PER_MINUTE.map((rate) => `${sayDuration(Math.max(1000, (todo / rate) * 60_000))} at ${plain(rate)} a minute`).join(", ")}`,
    "Nothing was asked or written.",
  ];
  return `${rows.join("\n")}\n`;
}

function count(number: number, noun: string): string {
  return `${plain(number)} ${noun}${number === 1 ? "" : "s"}`;
}
