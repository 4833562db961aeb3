import { createColors } from "picocolors";
import { describe, expect, test } from "vitest";
import { figuresJson } from "../../../src/hosts/lab/figures-json.ts";
import { barLine, progressBar } from "../../../src/hosts/lab/progress-bar.ts";
import { renderTable } from "../../../src/hosts/lab/render-table.ts";
import { BandGatherer } from "../../../src/simulator/lab/bands.ts";
import { type Figures, type Survey, scenarioOf } from "../../../src/simulator/lab/index.ts";
import { renderReport } from "../../../src/simulator/lab/report/render-report.ts";
import { thinOut } from "../../../src/simulator/lab/report/thin-out.ts";
import { sayMoment, ticksTo, timeTicks } from "../../../src/simulator/lab/report/ticks.ts";
import { Tally } from "../../../src/simulator/lab/tally.ts";

const FIGURES: Figures = {
  amplification: 1.234567,
  peak: 2,
  recoverySeconds: 7,
  wasted: 0.0051234,
  failed: 0,
  waited: 1.5,
  served: 0.8765,
  p95Seconds: 4.25,
};

function surveyOf(changes: Partial<Survey> = {}, names: readonly string[] = ["one", "two"]): Survey {
  const gatherer = new BandGatherer();
  const tally = new Tally({ now: () => 3000, seconds: 240 });
  tally.count("calls");
  gatherer.add(tally.series);
  return {
    scenario: scenarioOf("black-hole"),
    clients: 1000,
    seeds: 5,
    firstSeed: 1,
    replicas: 1,
    outageMs: 60_000,
    policies: names.map((name, index) => ({
      name,
      runs: 5,
      figures: { ...FIGURES, recoverySeconds: index === 0 ? 7 : Number.POSITIVE_INFINITY },
      worst: { ...FIGURES, failed: 0.25 },
      bands: gatherer.bands(),
    })),
    outageFrom: 60,
    outageTo: 120,
    isWhole: true,
    ...changes,
  };
}

/** Every element is closed, in order; void elements need not be. */
function unclosed(html: string): string[] {
  const open: string[] = [];
  for (const [, slash, name = "", rest = ""] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)((?:"[^"]*"|[^>"])*)>/g)) {
    if (name === "meta" || rest.endsWith("/") || name === "line" || name === "rect") continue;
    if (slash === "") open.push(name);
    else if (open.pop() !== name) return [...open, `</${name}>`];
  }
  return open;
}

describe("B7: the lab's report", () => {
  test("B7: is one valid page with a chart for every series and a line for every policy", () => {
    const html = renderReport(surveyOf());
    expect(html.startsWith("<!doctype html>")).toBe(true);
    expect(unclosed(html)).toEqual([]);
    const charts = [...html.matchAll(/id="chart-(\w+)"/g)].map((match) => match[1]);
    expect(charts).toEqual(["calls", "answered", "waiting", "inFlight", "rejected", "abandoned", "queued", "failed"]);
    expect(html.match(/<polyline class="line p0"/g)).toHaveLength(8);
    expect(html.match(/<polyline class="line p1"/g)).toHaveLength(8);
    expect(html.match(/class="outage"/g)).toHaveLength(8);
    expect(html).not.toContain("NaN");
  });

  test("B7: needs nothing from outside, knows light and dark, and fits a phone", () => {
    const html = renderReport(surveyOf());
    expect(html).not.toMatch(/https?:|<script|<link|@import|url\(/);
    expect(html).toContain("prefers-color-scheme: dark");
    expect(html).toContain('name="viewport"');
    expect(html).toContain("@media (max-width: 560px)");
  });

  test("B7: emphasises the best value of each figure, and prints never if there was no recovery", () => {
    const html = renderReport(surveyOf());
    expect(html).toContain('<td class="best" data-label="recovery">7 s</td>');
    expect(html).toContain('<td data-label="recovery">never</td>');
    expect(html).toContain("secondwind lab --scenario black-hole --compare one two --clients 1000 --seeds 5");
  });

  test("B7: a policy's name can't break out of the page", () => {
    const html = renderReport(surveyOf({}, ['<img src=x onerror="x">']));
    expect(html).not.toContain("<img");
    expect(unclosed(html)).toEqual([]);
  });

  test("B7: is valid after a survey was stopped early, and states it", () => {
    const none = { runs: 0, figures: undefined, worst: undefined, bands: undefined };
    const empty = surveyOf({ isWhole: false, policies: [{ name: "one", ...none }], outageFrom: 0, outageTo: 0 });
    expect(renderReport(empty)).toContain("Stopped before the first run had finished.");
    expect(unclosed(renderReport(empty))).toEqual([]);
    const partial = surveyOf({
      isWhole: false,
      policies: [...surveyOf().policies.slice(0, 1), { name: "two", ...none }],
    });
    expect(unclosed(renderReport(partial))).toEqual([]);
    expect(renderReport(partial)).not.toContain("NaN");
    expect(figuresJson(empty)).toBe("{}");
  });
});

describe("B7: the output of the lab", () => {
  const colours = createColors(false);

  test("B7: is a table that fits the window, or blocks where a table does not fit", () => {
    const wide = renderTable(surveyOf(), 90, colours);
    expect(wide).toContain("  policy  amplification  peak  recovery  wasted  failed  mean wait  served    p95");
    expect(wide).toContain("  one             1.23×  2.0×       7 s   0.5 %   0.0 %      1.5 s    88 %  4.3 s");
    const usual = renderTable(surveyOf({}, ["resilience4j", "two"]), 80, colours);
    expect(usual).toContain("  policy        amplif.  peak  recov.  wasted  failed   wait  served    p95");
    expect(Math.max(...usual.map((line) => line.length))).toBeLessThanOrEqual(80);
    const narrow = renderTable(surveyOf(), 40, colours);
    expect(narrow).toContain("  recovery       never");
    expect(Math.max(...narrow.map((line) => line.length))).toBeLessThanOrEqual(40);
  });

  test("B7: has a dash for a figure that means nothing, and a line that explains it", () => {
    const [one] = surveyOf({}, ["one"]).policies;
    const figures = {
      ...FIGURES,
      peak: null,
      recoverySeconds: null,
      served: null,
      p95Seconds: Number.POSITIVE_INFINITY,
    };
    const small = surveyOf({ clients: 5, policies: one === undefined ? [] : [{ ...one, figures }] });
    const lines = renderTable(small, 100, colours);
    expect(lines).toContain("  one             1.23×     –         –   0.5 %   0.0 %      1.5 s       –  never");
    expect(lines).toContain("  No peak or recovery: below 500 clients they are mostly chance.");
    expect(lines).toContain("  No served: the provider could not give an answer during the outage.");
    const drizzle = renderTable({ ...small, scenario: scenarioOf("drizzle") }, 100, colours);
    expect(drizzle).toContain("  No peak or recovery: the conditions are the same before, during and after.");
    expect(JSON.parse(figuresJson(small))).toMatchObject({ peak: null, recoverySeconds: null, p95Seconds: null });
    expect(unclosed(renderReport(small))).toEqual([]);
    expect(renderReport(small)).toContain('<td data-label="peak">–</td>');
  });

  test("B7: is JSON with all figures, rounded, and the worst seed, for --json", () => {
    const figures = '"amplification":1.2346,"peak":2,"recoverySeconds":7,"wasted":0.0051';
    const more = '"waitedSeconds":1.5,"served":0.8765,"p95Seconds":4.25';
    expect(figuresJson(surveyOf({}, ["one"]))).toBe(
      `{${figures},"failed":0,${more},"worst":{${figures},"failed":0.25,${more}}}`,
    );
  });

  test("B7: includes a progress bar for long runs, which is erased at the end", () => {
    expect(barLine(0.5, 80, "x")).toBe(`x ${"█".repeat(15)}${"░".repeat(15)}  50 %`);
    expect(barLine(2, 8, "black-hole")).toBe("100 %");
    const written: string[] = [];
    let nowMs = 0;
    const bar = progressBar(
      { write: (text) => written.push(text), columns: 80, colours, isLive: true },
      "x",
      () => nowMs,
    );
    bar.show(0.1);
    expect(written).toEqual([]);
    nowMs = 1000;
    bar.show(0.2);
    bar.show(0.3);
    expect(written).toHaveLength(1);
    bar.clear();
    expect(written.at(-1)).toBe("\r\u001b[2K");
  });

  test("B7: charts use round numbers, and long series keep their extremes when reduced", () => {
    expect(ticksTo(870)).toEqual([0, 500, 1000]);
    expect(ticksTo(0)).toEqual([0, 1]);
    expect(timeTicks(-60, 180)).toEqual([-60, 0, 60, 120, 180]);
    expect([-60, 0, 600, 28_800].map(sayMoment)).toEqual(["−60 s", "0", "10 min", "8 h"]);
    const hours = Array.from({ length: 29_000 }, (_, second) => (second === 20_000 ? 999 : 1));
    const points = thinOut({ mean: hours, least: hours, most: hours });
    expect(points.length).toBeLessThanOrEqual(240);
    expect(Math.max(...points.map(({ most }) => most))).toBe(999);
  });
});
