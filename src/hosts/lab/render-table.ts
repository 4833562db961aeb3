import type { Survey } from "../../simulator/lab/index.ts";
import { type Colours, sayDuration, textWidth, wrapText } from "../../terminal/index.ts";
import { SAID_FIGURES } from "./say-figures.ts";

export interface TableInput {
  readonly survey: Survey;
  readonly columns: number;
  readonly colours: Colours;
}

const INDENT = "  ";
const GAP = 2;

/** The figures as a table: a row for each policy; in a narrow window a block for each. */
export function renderTable({ survey, columns, colours }: TableInput): readonly string[] {
  const { scenario, clients, outageMs, policies } = survey;
  const intro = `${scenario.story} For ${sayDuration(outageMs)}, ${clients} clients, ${scenario.load * 100} % load.`;
  return [
    "",
    `${INDENT}${colours.bold(scenario.title)}`,
    ...wrapText(intro, columns - INDENT.length).map((line) => `${INDENT}${line}`),
    "",
    ...(policies.every(({ runs }) => runs === 0) ? [] : rowsOf(survey, columns, colours)),
    ...wrapText(sayRuns(survey), columns - INDENT.length).map((line) => `${INDENT}${colours.dim(line)}`),
    "",
  ];
}

function rowsOf({ policies }: Survey, columns: number, colours: Colours): readonly string[] {
  const head = ["policy", ...SAID_FIGURES.map(({ label }) => label)];
  const rows = policies.map(({ name, worst }) => [
    name,
    ...SAID_FIGURES.map(({ say }) => (worst === undefined ? "–" : say(worst))),
  ]);
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => textWidth(row[at] ?? ""))));
  const total = INDENT.length + widths.reduce((sum, width) => sum + width + GAP, -GAP);
  if (total > columns) return rows.flatMap((row) => blockOf(head, row, colours));
  const line = (row: readonly string[]): string =>
    INDENT + row.map((cell, at) => pad(cell, widths[at] ?? 0, at === 0 ? "left" : "right")).join(" ".repeat(GAP));
  return [colours.dim(line(head)), ...rows.map(line), ""];
}

function blockOf(head: readonly string[], row: readonly string[], colours: Colours): readonly string[] {
  const width = Math.max(...head.map(textWidth)) + GAP;
  const [name = "", ...cells] = row;
  const lines = cells.map((cell, at) => `${INDENT}${colours.dim(pad(head[at + 1] ?? "", width, "left"))}${cell}`);
  return [`${INDENT}${colours.bold(name)}`, ...lines, ""];
}

function pad(text: string, width: number, side: "left" | "right"): string {
  const space = " ".repeat(Math.max(0, width - textWidth(text)));
  return side === "left" ? text + space : space + text;
}

/** Over how many seeds, and whether that is all. */
export function sayRuns({ policies, seeds, isWhole }: Survey): string {
  const runs = Math.min(...policies.map((policy) => policy.runs));
  if (isWhole) return seeds === 1 ? "One seed." : `The worst of each over ${seeds} seeds.`;
  if (runs === 0) return "Stopped before the first run was finished.";
  return `Stopped: the worst of each over ${runs} of ${seeds} seeds.`;
}
