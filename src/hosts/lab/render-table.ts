import { burstSize, type Survey } from "../../simulator/lab/index.ts";
import { type Colours, sayDuration, textWidth, wrapText } from "../../terminal/index.ts";
import { FIGURES, formatFigure } from "./figures.ts";

const INDENT = "  ";
const GAP = 2;

/** The figures as a table with a row per policy; in a narrow window a block per policy. */
export function renderTable(survey: Survey, columns: number, colours: Colours): readonly string[] {
  const { scenario, policies } = survey;
  const intro = `${scenario.description} ${sayScale(survey)}`;
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
  const head = ["policy", ...FIGURES.map(({ label }) => label)];
  const rows = policies.map(({ name, worst }) => [name, ...FIGURES.map((figure) => formatFigure(figure, worst))]);
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

/** How large the outage is. */
export function sayScale({ scenario, clients, outageMs }: Survey): string {
  const who = clients === 1 ? "one person" : `${clients} clients`;
  if (scenario.start === "burst") return `${burstSize(clients)} calls from ${who}.`;
  const load = `${scenario.load * 100} % load`;
  if (scenario.start === "at-once") return `${who[0]?.toUpperCase()}${who.slice(1)}, ${load} afterwards.`;
  return `For ${sayDuration(outageMs)}, ${who}, ${load}.`;
}

/** How many seeds the figures cover. */
export function sayRuns({ policies, seeds, isWhole }: Survey): string {
  const runs = Math.min(...policies.map((policy) => policy.runs));
  if (isWhole) return seeds === 1 ? "One seed." : `Each figure is the worst of ${seeds} seeds.`;
  if (runs === 0) return "Stopped before the first run had finished.";
  return `Stopped early: each figure is the worst of ${runs} of ${seeds} seeds.`;
}
