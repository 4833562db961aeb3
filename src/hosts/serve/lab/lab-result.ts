import {
  type Chart,
  chartsOf,
  FIGURES,
  type Figures,
  type PolicySurvey,
  type Survey,
  sayMissing,
  thinOut,
} from "../../../simulator/lab/index.ts";
import type { LabChart, LabFigureKey, LabPolicyResult, LabResult, LabValue } from "../../../wire/http/server.ts";
import { labScenario } from "./lab-choices.ts";
import { factsOf, sayFacts } from "./lab-facts.ts";

/** A survey, finished or not, as it is sent. */
export function labResult(survey: Survey): LabResult {
  const { scenario, clients, seeds, outageFrom, outageTo, policies } = survey;
  const charts = chartsOf(survey);
  const facts = factsOf(policies);
  return {
    scenario: labScenario(scenario),
    clients,
    finished: Math.min(...policies.map(({ runs }) => runs)),
    runs: seeds,
    outageFrom,
    outageTo,
    seconds: charts[0]?.lines[0]?.band.mean.length ?? 0,
    policies: policies.map(resultOf),
    charts: charts.map(toLabChart),
    facts,
    inShort: sayFacts(
      facts,
      policies.map(({ name }) => name),
    ),
    notes: sayMissing(survey),
  };
}

function resultOf({ name, figures }: PolicySurvey): LabPolicyResult {
  const values = FIGURES.map(({ key }) => [key, toValue(figures, key)] as const);
  return { name, figures: Object.fromEntries(values) as Record<LabFigureKey, LabValue> };
}

/** JSON has no Infinity. */
function toValue(figures: Figures | undefined, key: LabFigureKey): LabValue {
  const value = figures?.[key] ?? null;
  if (value === null) return null;
  return Number.isFinite(value) ? rounded(value, 10_000) : "never";
}

function toLabChart({ series, title, unit, mark, lines }: Chart): LabChart {
  const drawn = lines.map(({ name, band }) => ({ name, points: thinOut(band) }));
  return {
    id: series,
    title,
    unit,
    ...(mark !== undefined && { capacity: mark.at }),
    at: (drawn[0]?.points ?? []).map(({ at }) => at),
    lines: drawn.map(({ name, points }) => ({
      name,
      mean: points.map(({ mean }) => rounded(mean, 100)),
      least: points.map(({ least }) => rounded(least, 100)),
      most: points.map(({ most }) => rounded(most, 100)),
    })),
  };
}

function rounded(value: number, parts: number): number {
  return Math.round(value * parts) / parts;
}
