import type { Figures } from "../figures-of.ts";
import type { PolicySurvey } from "../survey.ts";
import { escapeHtml } from "./escape-html.ts";
import { FIGURES, type Figure, formatFigure } from "./figures.ts";

/** A sample of the policy's line in the charts: its colour and its dashes. */
export function swatch(index: number): string {
  return `<svg class="swatch" viewBox="0 0 30 6" aria-hidden="true"><line class="line p${index}" x1="2" x2="28" y1="3" y2="3"/></svg>`;
}

/** A row per policy. If there are several, the best value of each column is emphasised. */
export function figuresTable(policies: readonly PolicySurvey[]): string {
  const all = policies.flatMap(({ figures }) => figures ?? []);
  const head = FIGURES.map(({ label }) => `<th scope="col">${label}</th>`).join("");
  const rows = policies.map(({ name, figures }, index) => {
    const cells = FIGURES.map((figure) => {
      const tone = figures !== undefined && isBest(figures, all, figure) ? ' class="best"' : "";
      // On a phone each row becomes a card with the label next to each figure.
      return `<td${tone} data-label="${figure.label}">${formatFigure(figure, figures)}</td>`;
    });
    return `<tr><th scope="row">${swatch(index)}${escapeHtml(name)}</th>${cells.join("")}</tr>`;
  });
  return [
    `<div class="sheet scroll"><table>`,
    `<thead><tr><th scope="col">policy</th>${head}</tr></thead>`,
    `<tbody>${rows.join("\n")}</tbody>`,
    "</table></div>",
  ].join("\n");
}

function isBest(figures: Figures, all: readonly Figures[], { key, better }: Figure): boolean {
  const values = all.flatMap((other) => other[key] ?? []);
  const best = better === "high" ? Math.max(...values) : Math.min(...values);
  return values.some((value) => value !== best) && figures[key] === best;
}
