import { FIGURES, formatFigure, type Survey, sayMissing, sayRuns, sayScale } from "../../simulator/lab/index.ts";
import { type Colours, textWidth, wrapText } from "../../terminal/index.ts";

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
    ...[sayRuns(survey), ...sayMissing(survey)]
      .flatMap((text) => wrapText(text, columns - INDENT.length))
      .map((line) => `${INDENT}${colours.dim(line)}`),
    "",
  ];
}

function rowsOf({ policies }: Survey, columns: number, colours: Colours): readonly string[] {
  const rows = policies.map(({ name, figures }) => [name, ...FIGURES.map((figure) => formatFigure(figure, figures))]);
  const full = ["policy", ...FIGURES.map(({ label }) => label)];
  const short = ["policy", ...FIGURES.map((figure) => figure.short)];
  const head = [full, short].find((names) => tableWidth(widthsOf([names, ...rows])) <= columns);
  if (head === undefined) return rows.flatMap((row) => blockOf(full, row, colours));
  const widths = widthsOf([head, ...rows]);
  const line = (row: readonly string[]): string =>
    INDENT + row.map((cell, at) => pad(cell, widths[at] ?? 0, at === 0 ? "left" : "right")).join(" ".repeat(GAP));
  return [colours.dim(line(head)), ...rows.map(line), ""];
}

function widthsOf(rows: readonly (readonly string[])[]): readonly number[] {
  return (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => textWidth(row[at] ?? ""))));
}

function tableWidth(widths: readonly number[]): number {
  return INDENT.length + widths.reduce((sum, width) => sum + width + GAP, -GAP);
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
