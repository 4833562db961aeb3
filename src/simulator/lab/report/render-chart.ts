import type { Chart } from "./charts.ts";
import { escapeHtml } from "./escape-html.ts";
import { type Point, thinOut } from "./thin-out.ts";
import { sayMoment, ticksTo, timeTicks } from "./ticks.ts";

// Small enough that the text stays readable when the chart is scaled down to the width of a phone.
const WIDTH = 480;
const HEIGHT = 236;
const LEFT = 44;
const RIGHT = 18;
const TOP = 22;
const BOTTOM = 28;

interface Scale {
  readonly x: (second: number) => string;
  readonly y: (value: number) => string;
}

/** One chart as SVG: a line per policy, the range over the seeds as a band behind it, the outage shaded. */
export function renderChart(chart: Chart): string {
  const { series, title, unit, lines, outageFrom, outageTo, mark } = chart;
  const drawn = lines.map(({ name, band }) => ({ name, points: thinOut(band) }));
  const seconds = Math.max(1, ...lines.map(({ band }) => band.mean.length));
  const most = Math.max(mark?.at ?? 0, ...drawn.flatMap(({ points }) => points.map((point) => point.most)));
  const ticks = ticksTo(most);
  const top = ticks.at(-1) ?? 1;
  const scale: Scale = {
    x: (second) => round(LEFT + (second / seconds) * (WIDTH - LEFT - RIGHT)),
    y: (value) => round(HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM)),
  };
  const isEmpty = drawn.every(({ points }) => points.every((point) => point.most === 0));
  const label = `${title}, ${unit}: ${lines.map(({ name }) => name).join(", ")}`;
  return [
    `<figure class="chart" id="chart-${series}">`,
    `<figcaption><strong>${escapeHtml(title)}</strong> <span>${escapeHtml(unit)}</span></figcaption>`,
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(label)}">`,
    shade(scale, outageFrom, outageTo),
    ...ticks.map((tick) => gridLine(scale, tick)),
    ...timeTicks(-outageFrom, seconds - outageFrom).map((tick) => timeLabel(scale, tick, outageFrom)),
    mark === undefined ? "" : markLine(scale, mark),
    ...drawn.map(({ points }, index) => bandPath(scale, points, index)),
    ...drawn.map(({ points, name }, index) => linePath(scale, points, index, name)),
    isEmpty
      ? `<text class="none" x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT / 2}" text-anchor="middle">none</text>`
      : "",
    "</svg>",
    "</figure>",
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function shade({ x }: Scale, from: number, to: number): string {
  const width = round(Number(x(to)) - Number(x(from)));
  const middle = round((Number(x(to)) + Number(x(from))) / 2);
  return (
    `<rect class="outage" x="${x(from)}" y="${TOP}" width="${width}" height="${HEIGHT - TOP - BOTTOM}"/>` +
    `<text class="outage-label" x="${middle}" y="${TOP - 7}" text-anchor="middle">outage</text>`
  );
}

function gridLine({ y }: Scale, tick: number): string {
  const at = y(tick);
  return (
    `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}"/>` +
    `<text x="${LEFT - 6}" y="${at}" dy="4" text-anchor="end">${sayCount(tick)}</text>`
  );
}

function timeLabel({ x }: Scale, tick: number, outageFrom: number): string {
  const at = x(tick + outageFrom);
  // Centred at the right edge it would be cut off.
  const isLast = Number(at) > WIDTH - 2 * RIGHT;
  const place = isLast ? `x="${WIDTH - 2}" text-anchor="end"` : `x="${at}" text-anchor="middle"`;
  return `<text ${place} y="${HEIGHT - 8}">${sayMoment(tick)}</text>`;
}

function markLine({ y }: Scale, { at, label }: { readonly at: number; readonly label: string }): string {
  return (
    `<line class="mark" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(at)}" y2="${y(at)}"/>` +
    `<text class="mark-label" x="${LEFT + 4}" y="${y(at)}" dy="-5">${escapeHtml(label)}</text>`
  );
}

function bandPath({ x, y }: Scale, points: readonly Point[], index: number): string {
  const there = points.map(({ at, most }) => `${x(at)},${y(most)}`);
  const back = [...points].reverse().map(({ at, least }) => `${x(at)},${y(least)}`);
  return `<polygon class="band p${index}" points="${[...there, ...back].join(" ")}"/>`;
}

function linePath({ x, y }: Scale, points: readonly Point[], index: number, name: string): string {
  const path = points.map(({ at, mean }) => `${x(at)},${y(mean)}`).join(" ");
  return `<polyline class="line p${index}" points="${path}"><title>${escapeHtml(name)}</title></polyline>`;
}

function sayCount(count: number): string {
  return count >= 10_000 ? `${count / 1000}k` : String(count);
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}
