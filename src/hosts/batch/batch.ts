import type { Vault } from "../../credentials/index.ts";
import type { Jobs } from "../../jobs/index.ts";
import { openProviders } from "../../providers/open-providers.ts";
import { openTerminal } from "../../terminal/index.ts";
import { chooseTarget } from "./choose-target.ts";
import { LineTable } from "./input/line-table.ts";
import { openInput } from "./input/open-input.ts";
import { surveyInput } from "./input/survey-input.ts";
import { lockOutput } from "./output/lock-output.ts";
import { readOutput } from "./output/read-output.ts";
import { dropFailed, sortOutput } from "./output/rewrite-output.ts";
import { type BatchOptions, parseOptions } from "./parse-options.ts";
import { runBatch } from "./run-batch.ts";
import { plain } from "./show/progress-lines.ts";
import { sayDryRun } from "./show/say-dry-run.ts";

const FAILED = 1;
const CANCELLED = 130;

/** `secondwind batch`. Returns the exit code. Throws `InvalidInput` for invalid options, inputs and outputs. */
export async function batch(file: string, options: BatchOptions): Promise<number> {
  const settings = parseOptions(file, options);
  const { output, isRetryingFailed, isDryRun, isOrdered } = settings;
  const opened = await openProviders({ env: process.env });
  const targetOf = chooseTarget(opened, options.model);
  const screen = openTerminal(process.stderr, process.env);
  const unlock = isDryRun ? () => undefined : lockOutput(output);
  try {
    const input = await openInput(file, output);
    try {
      const table = new LineTable();
      const written = await readOutput(output, table);
      const survey = await surveyInput({ file: input.path, name: input.name, table, output, isRetryingFailed });
      const model = options.model ?? opened.defaultModel;
      const todo = table.count("todo");
      if (isDryRun) {
        process.stdout.write(
          sayDryRun({ file: input.name, output, model, input: survey, written, todo, isRetryingFailed }),
        );
        return 0;
      }
      if (written.tornBytes > 0)
        screen.write(`Removed an incomplete last line from ${output}; its line is asked again.\n`);
      if (survey.todoBad > 0) screen.write(sayBad(survey));
      if (options.model !== undefined && survey.withModel > 0) {
        screen.write(`--model ${model} is used for all lines; ${plain(survey.withModel)} name a model of their own.\n`);
      }
      const jobs = await openWorkers(opened.vault);
      const isDropping = isRetryingFailed && written.failed > 0;
      const wholeBytes = isDropping ? await dropFailed(output) : written.wholeBytes;
      const running = runBatch({
        jobs,
        settings,
        opened,
        targetOf,
        input: input.path,
        table,
        survey,
        written,
        wholeBytes,
        screen,
      });
      const end = await running.finally(() => jobs?.close());
      if (isOrdered && end.isFinished) await sortOutput(output);
      if (end.isCancelled) return CANCELLED;
      return end.isFinished && end.failed === 0 ? 0 : FAILED;
    } finally {
      await input.close();
    }
  } catch (fault) {
    throw opened.vault.redact(fault);
  } finally {
    unlock();
  }
}

/** With `REDIS_URL`, workers run the lines (`secondwind work`). What they need is loaded only then. */
async function openWorkers(vault: Vault): Promise<Jobs | undefined> {
  if (!process.env.REDIS_URL) return undefined;
  const { openJobsOf } = await import("../../assembly/index.ts");
  return openJobsOf(vault, process.env);
}

function sayBad({
  todoBad,
  firstBad,
}: {
  readonly todoBad: number;
  readonly firstBad: readonly { readonly error: string }[];
}): string {
  const count = todoBad === 1 ? "1 bad line gets" : `${plain(todoBad)} bad lines get`;
  const rest = todoBad > firstBad.length ? [`  and ${plain(todoBad - firstBad.length)} more`] : [];
  return `${[`${count} an error as the result:`, ...firstBad.map(({ error }) => `  ${error}`), ...rest].join("\n")}\n`;
}
