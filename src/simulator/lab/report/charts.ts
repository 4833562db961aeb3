import type { Band } from "../bands.ts";
import { sizeFor } from "../run-lab.ts";
import type { PolicySurvey, Survey } from "../survey.ts";
import type { Counted, Gauged } from "../tally.ts";

export interface Chart {
  readonly series: Counted | Gauged;
  readonly title: string;
  readonly unit: string;
  /** One per policy, in the order of their colours. */
  readonly lines: readonly { readonly name: string; readonly band: Band }[];
  readonly outageFrom: number;
  readonly outageTo: number;
  /** A reference value, such as the provider's capacity. */
  readonly mark?: { readonly at: number; readonly label: string };
}

/** In the order in which an outage is felt. */
const CHARTS: readonly Pick<Chart, "series" | "title" | "unit">[] = [
  { series: "calls", title: "Load on the provider", unit: "calls per second" },
  { series: "answered", title: "Answers delivered", unit: "generations per second" },
  { series: "waiting", title: "Waiting", unit: "generations between two calls" },
  { series: "inFlight", title: "In flight", unit: "calls with a waiting client" },
  { series: "rejected", title: "Rejected", unit: "calls per second" },
  { series: "abandoned", title: "Given up", unit: "calls per second, at their time limit" },
  { series: "queued", title: "Queue", unit: "calls that wait for a slot" },
  { series: "failed", title: "Failed", unit: "generations per second, without an answer" },
];

/** What the charts of a survey show. */
export function chartsOf({ outageFrom, outageTo, policies, scenario, clients }: Survey): readonly Chart[] {
  const { slots, serviceMs } = sizeFor(clients);
  const capacity = (slots / serviceMs) * 1000;
  return CHARTS.map((chart) => ({
    ...chart,
    outageFrom,
    outageTo,
    lines: policies.map(({ name, bands }: PolicySurvey) => ({
      name,
      band: bands?.[chart.series] ?? { mean: [], least: [], most: [] },
    })),
    ...(chart.series === "calls" && !scenario.hasFallback && { mark: { at: capacity, label: "capacity" } }),
  }));
}
