import { sayDuration } from "../../../kernel/model/say-duration.ts";
import { TIME_LIMIT_MS } from "../engine-for.ts";
import { sizeFor } from "../run-lab.ts";
import type { Survey } from "../survey.ts";
import { chartsOf } from "./charts.ts";
import { escapeHtml } from "./escape-html.ts";
import { FIGURES } from "./figures.ts";
import { figuresTable, swatch } from "./figures-table.ts";
import { renderChart } from "./render-chart.ts";
import { REPORT_STYLE } from "./report-style.ts";
import { sayMissing, sayRuns, sayScale } from "./say-survey.ts";

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
    ...chartsOf(survey).map(renderChart),
    "</div>",
  ].join("\n");
}

/** The command that recreates this page. */
function commandOf({ scenario, policies, clients, seeds, firstSeed, replicas, isShared, outageMs }: Survey): string {
  const names = policies.map(({ name }) => name).join(" ");
  return [
    `secondwind lab --scenario ${scenario.name}`,
    policies.length === 1 ? `--policy ${names}` : `--compare ${names}`,
    `--clients ${clients} --seeds ${seeds}`,
    firstSeed === 1 ? "" : `--first-seed ${firstSeed}`,
    replicas === 1 ? "" : `--replicas ${replicas}`,
    isShared === true ? "--shared" : "",
    outageMs === scenario.outageMs ? "" : `--outage ${outageMs / 1000}`,
    "--report report.html",
  ]
    .filter((part) => part !== "")
    .join(" ");
}
