import { ticksTo, timeTicks } from "../../../../simulator/lab/report/ticks.ts";
import type { LabChart, LabResult } from "../../../../wire/http/server.ts";

/** A chart as shapes, in the units of its view box. */
export interface ChartShapes {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly outage: { readonly x: number; readonly width: number };
  readonly rows: readonly { readonly y: number; readonly value: number }[];
  /** Seconds since the start of the outage. */
  readonly moments: readonly { readonly x: number; readonly seconds: number; readonly isLast: boolean }[];
  readonly capacityY: number | undefined;
  readonly lines: readonly { readonly name: string; readonly line: string; readonly band: string }[];
  readonly isEmpty: boolean;
}

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [470, 216, 42, 18, 18, 24];

/** Where everything in a chart is: one line per policy, the range over the runs as a band behind it. */
export function chartShapes(
  chart: LabChart,
  result: Pick<LabResult, "outageFrom" | "outageTo" | "seconds">,
): ChartShapes {
  const { at, lines, capacity } = chart;
  const seconds = Math.max(1, result.seconds);
  const most = Math.max(capacity ?? 0, ...lines.map((line) => line.most.reduce((a, b) => Math.max(a, b), 0)));
  const ticks = ticksTo(most);
  const top = ticks.at(-1) ?? 1;
  const x = (second: number): number => round(LEFT + (second / seconds) * (WIDTH - LEFT - RIGHT));
  const y = (value: number): number => round(HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM));
  const points = (values: readonly number[]): string[] =>
    values.map((value, index) => `${x(at[index] ?? 0)},${y(value)}`);
  const { outageFrom, outageTo } = result;
  return {
    width: WIDTH,
    height: HEIGHT,
    left: LEFT,
    right: WIDTH - RIGHT,
    top: TOP,
    bottom: HEIGHT - BOTTOM,
    outage: { x: x(outageFrom), width: round(Math.max(1, x(outageTo) - x(outageFrom))) },
    rows: ticks.map((value) => ({ y: y(value), value })),
    moments: timeTicks(-outageFrom, seconds - outageFrom, 5).map((moment) => {
      const place = x(moment + outageFrom);
      return { x: place, seconds: moment, isLast: place > WIDTH - 2 * RIGHT };
    }),
    capacityY: capacity === undefined ? undefined : y(capacity),
    lines: lines.map(({ name, mean, least, most: highest }) => ({
      name,
      line: points(mean).join(" "),
      band: [...points(highest), ...points(least).reverse()].join(" "),
    })),
    isEmpty: lines.every((line) => line.most.every((value) => value === 0)),
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The outline of an outage for its icon: down while calls fail. */
export function shapePath(shape: readonly number[], width: number, height: number): string {
  const last = Math.max(1, shape.length);
  const inside = height - 2;
  return shape
    .flatMap((share, index) => {
      const level = round(1 + (1 - Math.min(1, Math.max(0, share))) * inside);
      return [`${round((index / last) * width)},${level}`, `${round(((index + 1) / last) * width)},${level}`];
    })
    .join(" ");
}
