import type { Seen } from "./judge-output.ts";
import type { Situation } from "./situations.ts";

export interface TrialResult {
  readonly agent: string;
  readonly version: string;
  readonly situation: string;
  /** Null: still running at the limit. */
  readonly exitCode: number | null;
  readonly seen: Seen;
  readonly error?: string;
  /** Calls of the main model that reached the provider. */
  readonly calls: number;
  readonly otherCalls: number;
  readonly gaps: readonly number[];
  readonly seconds: number;
}

/** A row for each agent, a column for each situation. */
export function resultsTable(results: readonly TrialResult[], situations: readonly Situation[]): string {
  const agents = [...new Set(results.map(({ agent, version }) => `${agent} ${version}`))].sort();
  const rows = agents.map((title) => {
    const cells = situations.map(({ name }) => {
      const found = results.find((one) => `${one.agent} ${one.version}` === title && one.situation === name);
      return found === undefined ? "" : cellOf(found);
    });
    return [title, ...cells];
  });
  const head = ["agent", ...situations.map(({ title }) => title)];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function cellOf(result: TrialResult): string {
  const { calls, seconds } = result;
  return `${outcomeOf(result)}; ${calls} ${calls === 1 ? "call" : "calls"}, ${seconds} s`;
}

function outcomeOf({ exitCode, seen, error = "" }: Pick<TrialResult, "exitCode" | "seen" | "error">): string {
  const what = { whole: "whole", repeated: "**whole after a half**", half: "**half**", nothing: "nothing" }[seen];
  if (exitCode === null) return `hangs (${what})`;
  if (exitCode === 0) return what;
  return `${what}, exit ${exitCode}: ${error.replaceAll("|", "\\|")}`;
}
