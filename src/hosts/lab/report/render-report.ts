import {
  type Counted,
  type Gauged,
  type PolicySurvey,
  type Survey,
  sizeFor,
  TIME_LIMIT_MS,
} from "../../../simulator/lab/index.ts";
import { sayDuration } from "../../../terminal/index.ts";
import { FIGURES } from "../figures.ts";
import { sayMissing, sayRuns, sayScale } from "../render-table.ts";
import { escapeHtml } from "./escape-html.ts";
import { figuresTable, swatch } from "./figures-table.ts";
import { type ChartInput, renderChart } from "./render-chart.ts";
import { REPORT_STYLE } from "./report-style.ts";

/** In the order in which an outage is felt. */
const CHARTS: readonly { readonly series: Counted | Gauged; readonly title: string; readonly unit: string }[] = [
  { series: "calls", title: "Load on the provider", unit: "calls per second" },
  { series: "answered", title: "Answers delivered", unit: "generations per second" },
  { series: "waiting", title: "Waiting", unit: "generations between two calls" },
  { series: "inFlight", title: "In flight", unit: "calls with a waiting client" },
  { series: "rejected", title: "Rejected", unit: "calls per second" },
  { series: "abandoned", title: "Given up", unit: "calls per second, at their time limit" },
  { series: "queued", title: "Queue", unit: "calls that wait for a slot" },
  { series: "failed", title: "Failed", unit: "generations per second, without an answer" },
];

/** The survey as one self-contained page. Also valid for a survey that was stopped early. */
export function renderReport(survey: Survey): string {
  const { scenario, policies } = survey;
  const size = sizeFor(survey.clients);
  const finished = policies.filter(({ runs }) => runs > 0);
  const title = `${scenario.title}: ${policies.map(({ name }) => name).join(" · ")}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)} – Secondwind outage lab</title>
<style>
${REPORT_STYLE}
</style>
</head>
<body>
<main>
<p class="kicker">Secondwind outage lab</p>
<h1>${escapeHtml(scenario.title)}</h1>
<p>${escapeHtml(scenario.description)} ${sayScale(survey)}</p>
<p class="soft">${size.slots} slots, answers in ${sayDuration(size.serviceMs)} on average, a time limit of ${sayDuration(TIME_LIMIT_MS)}.${survey.isWhole ? ` ${escapeHtml(sayRuns(survey))}` : ""}</p>
${survey.isWhole ? "" : `<p class="notice">${escapeHtml(sayRuns(survey))}</p>`}
${finished.length === 0 ? "" : body(survey)}
<h2>What the figures mean</h2>
<dl>
${FIGURES.map(({ label, meaning }) => `<dt>${label}</dt><dd>${meaning}</dd>`).join("\n")}
</dl>
<footer class="soft">
<p>Each client sends a request through the real engine in virtual time, waits for the result, pauses and starts again. Lines show the mean over the seeds, bands the range from least to most. Time is measured from the start of the outage.</p>
<p><code>${escapeHtml(commandOf(survey))}</code></p>
</footer>
</main>
</body>
</html>
`;
}

function body(survey: Survey): string {
  const { policies } = survey;
  const legend = policies.map(({ name }, index) => `<li>${swatch(index)}${escapeHtml(name)}</li>`).join("");
  return [
    "<h2>Figures</h2>",
    figuresTable(policies),
    ...sayMissing(survey).map((line) => `<p class="soft">${escapeHtml(line)}</p>`),
    "<h2>Charts</h2>",
    `<ul class="legend">${legend}</ul>`,
    `<div class="charts">`,
    ...CHARTS.map((chart) => renderChart(chartInput(survey, chart))),
    "</div>",
  ].join("\n");
}

function chartInput(survey: Survey, { series, title, unit }: (typeof CHARTS)[number]): ChartInput {
  const { outageFrom, outageTo, policies, scenario } = survey;
  const { slots, serviceMs } = sizeFor(survey.clients);
  const capacity = (slots / serviceMs) * 1000;
  const isLoad = series === "calls" && !scenario.hasFallback;
  return {
    id: `chart-${series}`,
    title,
    unit,
    outageFrom,
    outageTo,
    lines: policies.map(({ name, bands }: PolicySurvey) => ({
      name,
      band: bands?.[series] ?? { mean: [], least: [], most: [] },
    })),
    ...(isLoad && { mark: { at: capacity, label: "capacity" } }),
  };
}

/** The command that recreates this page. */
function commandOf({ scenario, policies, clients, seeds, firstSeed, replicas, outageMs }: Survey): string {
  const names = policies.map(({ name }) => name).join(" ");
  return [
    `secondwind lab --scenario ${scenario.name}`,
    policies.length === 1 ? `--policy ${names}` : `--compare ${names}`,
    `--clients ${clients} --seeds ${seeds}`,
    firstSeed === 1 ? "" : `--first-seed ${firstSeed}`,
    replicas === 1 ? "" : `--replicas ${replicas}`,
    outageMs === scenario.outageMs ? "" : `--outage ${outageMs / 1000}`,
    "--report report.html",
  ]
    .filter((part) => part !== "")
    .join(" ");
}
