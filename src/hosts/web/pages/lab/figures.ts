import type { LabFigure, LabResult, LabValue } from "../../../../wire/http/server.ts";

/** One figure for people; `words` are those for what never happened and for what means nothing. */
export function sayFigure({ key, unit }: Pick<LabFigure, "key" | "unit">, value: LabValue, never: string): string {
  if (value === null) return "–";
  if (value === "never") return never;
  switch (unit) {
    case "times":
      return `${value.toFixed(key === "peak" ? 1 : 2)}×`;
    case "share":
      return `${(value * 100).toFixed(1)} %`;
    case "seconds":
      return `${key === "recoverySeconds" ? Math.round(value) : value.toFixed(1)} s`;
    default:
      return unit satisfies never;
  }
}

/** Which policy has the better figure, by its place; undefined: none, as shown. */
export function betterOf(figure: LabFigure, { policies }: Pick<LabResult, "policies">): number | undefined {
  const shown = policies.map(({ figures }) => sayFigure(figure, figures[figure.key], "never"));
  if (shown.length < 2 || new Set(shown).size === 1) return undefined;
  const values = policies.map(({ figures }) => comparable(figures[figure.key]));
  if (values.some(Number.isNaN)) return undefined;
  const best = figure.better === "low" ? Math.min(...values) : Math.max(...values);
  return values.indexOf(best);
}

function comparable(value: LabValue): number {
  if (value === null) return Number.NaN;
  return value === "never" ? Number.POSITIVE_INFINITY : value;
}
