import type { TrackTexts } from "../texts/track.ts";
import { sayWait } from "./say-time.ts";

/** The scales of the timeline, by the value of their radio button. */
export const SCALES = {
  "10s": { ms: 10_000, stepMs: 2000 },
  "1min": { ms: 60_000, stepMs: 10_000 },
  "10min": { ms: 600_000, stepMs: 120_000 },
  "8h": { ms: 28_800_000, stepMs: 3_600_000 },
} as const;

export type ScaleName = keyof typeof SCALES;

export const SCALE_NAMES = Object.keys(SCALES) as readonly ScaleName[];
export const isScaleName = (name: unknown): name is ScaleName =>
  typeof name === "string" && Object.hasOwn(SCALES, name);

export interface Tick {
  readonly x: number;
  readonly label: string;
}

/** A label needs this much room. */
const LABEL_PX = 52;

/** The lines of the axis after its start. On a narrow track every second or third has none. */
export function ticksOf(name: ScaleName, widthPx: number, texts: TrackTexts): readonly Tick[] {
  const { ms, stepMs } = SCALES[name];
  const stepPx = widthPx * (stepMs / ms);
  const every = Math.max(1, Math.ceil(LABEL_PX / Math.max(1, stepPx)));
  const count = Math.round(ms / stepMs);
  const ticks: Tick[] = [];
  for (let index = every; index <= count; index += every)
    ticks.push({ x: index * stepPx, label: sayWait(index * stepMs, texts) });
  return ticks;
}
