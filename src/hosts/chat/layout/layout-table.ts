import { textWidth } from "../../../terminal/index.ts";
import { type Line, type Span, span } from "./line.ts";
import { parseInline } from "./parse-inline.ts";
import { wrapSpans } from "./wrap-spans.ts";

type Alignment = "left" | "right" | "center";

const RULE_CELL = /^:?-+:?$/;
const GAP = " │ ";
/** Narrower columns are unreadable: then each row becomes a list of its cells. */
const NARROWEST = 7;
/** More columns fit no screen. */
const MOST_COLUMNS = 24;

/** Lays out the rows of a Markdown table. Undefined: they are none, because the second row is no rule. */
export function layoutTable(rows: readonly string[], width: number): readonly Line[] | undefined {
  const [head, rule, ...body] = rows.map(cellsOf);
  if (head === undefined || rule === undefined || head.length > MOST_COLUMNS) return undefined;
  if (!rule.every((cell) => RULE_CELL.test(cell))) return undefined;
  const header = head.map((cell) => parseInline(cell).map(({ text, style }) => span(text, style ?? "bold")));
  const cells = body.map((row) => head.map((_, column) => parseInline(row[column] ?? "")));
  const widths = fitColumns(
    head.map((_, column) => Math.max(1, ...[header, ...cells].map((row) => widthOf(row[column] ?? [])))),
    width - GAP.length * (head.length - 1),
  );
  if (widths === undefined) return stack(header, cells, width);
  const alignments = head.map((_, column) => alignmentOf(rule[column] ?? ""));
  const laid = cells.map((row) => layoutRow(row, widths, alignments));
  const line = [span(widths.map((count) => "─".repeat(count)).join("─┼─"), "dim")];
  // Rows of several lines would run into each other.
  const isSpread = laid.some((lines) => lines.length > 1);
  return [
    ...layoutRow(header, widths, alignments),
    line,
    ...laid.flatMap((lines, index) => (isSpread && index > 0 ? [line, ...lines] : lines)),
  ];
}

/** Splits a row at its bars, except escaped ones. */
function cellsOf(row: string): readonly string[] {
  const inner = row
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll("\\|", "|").trim());
}

function alignmentOf(cell: string): Alignment {
  if (!cell.endsWith(":")) return "left";
  return cell.startsWith(":") ? "center" : "right";
}

function widthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { text }) => sum + textWidth(text), 0);
}

/** Narrows the widest columns until all fit. Undefined: they would become too narrow. */
function fitColumns(wanted: readonly number[], room: number): readonly number[] | undefined {
  const sum = (most: number): number => wanted.reduce((total, width) => total + Math.min(width, most), 0);
  let most = Math.max(...wanted);
  if (sum(most) <= room) return wanted;
  // At most as many steps as the screen has columns.
  most = Math.min(most, Math.max(0, room));
  while (most >= NARROWEST && sum(most) > room) most -= 1;
  return most < NARROWEST ? undefined : wanted.map((width) => Math.min(width, most));
}

function layoutRow(
  cells: readonly (readonly Span[])[],
  widths: readonly number[],
  alignments: readonly Alignment[],
): readonly Line[] {
  const columns = cells.map((spans, at) => wrapSpans(spans, { width: widths[at] ?? 1 }));
  return Array.from({ length: Math.max(...columns.map((lines) => lines.length)) }, (_, row) =>
    columns.flatMap((lines, at): readonly Span[] => {
      const padded = pad(lines[row] ?? [], widths[at] ?? 1, alignments[at] ?? "left", at === columns.length - 1);
      return at === 0 ? padded : [span(GAP, "dim"), ...padded];
    }),
  );
}

function pad(line: Line, width: number, alignment: Alignment, isLast: boolean): Line {
  const space = Math.max(0, width - widthOf(line));
  const before = alignment === "left" ? 0 : alignment === "right" ? space : Math.floor(space / 2);
  // Nothing to align with after the last column.
  const after = isLast ? 0 : space - before;
  return [...(before > 0 ? [span(" ".repeat(before))] : []), ...line, ...(after > 0 ? [span(" ".repeat(after))] : [])];
}

/** For narrow windows: each row as `header: cell`, one below the other. */
function stack(
  header: readonly (readonly Span[])[],
  rows: readonly (readonly (readonly Span[])[])[],
  width: number,
): readonly Line[] {
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : [[]]),
    ...row.flatMap((cell, column) =>
      widthOf(cell) === 0 ? [] : wrapSpans([...(header[column] ?? []), span(": "), ...cell], { width }),
    ),
  ]);
}
