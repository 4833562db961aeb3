import { existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { InvalidInput, type Policy, type PolicyInput } from "../../kernel/index.ts";
import { parseNumber } from "../../terminal/parse-number.ts";
import { batchPolicy, jobPolicy } from "./run/batch-policy.ts";

/** The options of `secondwind batch`, as commander gives them. */
export interface BatchOptions {
  readonly output: string;
  readonly model?: string;
  readonly policy?: string;
  readonly concurrency: string;
  readonly maxCostTokens?: string;
  readonly ordered?: boolean;
  readonly retryFailed?: boolean;
  readonly dryRun?: boolean;
}

export interface BatchSettings {
  readonly output: string;
  readonly policy: Policy;
  /** For workers; undefined: their default. */
  readonly jobPolicy: string | PolicyInput | undefined;
  readonly concurrency: number;
  readonly maxTokens: number;
  readonly isOrdered: boolean;
  readonly isRetryingFailed: boolean;
  readonly isDryRun: boolean;
}

/** Throws `InvalidInput` naming the option. */
export function parseOptions(file: string, options: BatchOptions): BatchSettings {
  const { output, maxCostTokens } = options;
  const folder = dirname(resolve(output));
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new InvalidInput("--output", output, `in a folder that exists (${folder} does not)`);
  }
  if (file !== "-" && resolve(file) === resolve(output)) {
    throw new InvalidInput("--output", output, "another file than the input");
  }
  return {
    output,
    policy: batchPolicy(options.policy),
    jobPolicy: jobPolicy(options.policy),
    concurrency: parseNumber("--concurrency", options.concurrency, { min: 1, max: 1000, integer: true }),
    maxTokens:
      maxCostTokens === undefined
        ? Number.POSITIVE_INFINITY
        : parseNumber("--max-cost-tokens", maxCostTokens, { min: 1, integer: true }),
    isOrdered: options.ordered === true,
    isRetryingFailed: options.retryFailed === true,
    isDryRun: options.dryRun === true,
  };
}
