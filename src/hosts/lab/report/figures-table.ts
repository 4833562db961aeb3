import type { Figures, PolicySurvey } from "../../../simulator/lab/index.ts";
import { badness, SAID_FIGURES } from "../say-figures.ts";
import { escapeHtml } from "./escape-html.ts";

/** The line by which a policy is known in the charts: its colour and its dashes. */
export function swatch(index: number): string {
  return `<svg class="swatch" viewBox="0 0 30 6" aria-hidden="true"><line class="line p${index}" x1="2" x2="28" y1="3" y2="3"/></svg>`;
}

/** A row for each policy; of several the best of each column stands out. */
export function figuresTable(policies: readonly PolicySurvey[]): string {
  const all = policies.flatMap(({ worst }) => (worst === undefined ? [] : [worst]));
  const head = SAID_FIGURES.map(({ label }) => `<th scope="col">${label}</th>`).join("");
  const rows = policies.map(({ name, worst }, index) => {
    const cells = SAID_FIGURES.map(({ key, label, say }) => {
      const tone = worst !== undefined && isBest(worst, all, key) ? ' class="best"' : "";
      // On a telephone each row becomes a card, and the label has to stand beside its figure.
      return `<td${tone} data-label="${label}">${worst === undefined ? "–" : say(worst)}</td>`;
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

function isBest(figures: Figures, all: readonly Figures[], key: keyof Figures): boolean {
  if (all.length < 2) return false;
  const least = Math.min(...all.map((other) => badness(other, key)));
  const isTied = all.every((other) => badness(other, key) === least);
  return !isTied && badness(figures, key) === least;
}
