import type { PartType, TrackPart } from "./track-parts.ts";

/** A part in pixels from the left edge. */
export interface Segment {
  readonly part: TrackPart;
  readonly x: number;
  readonly width: number;
}

export interface Placed {
  readonly segments: readonly Segment[];
  /** The track goes on beyond the right edge. */
  readonly isLonger: boolean;
}

/** Shorter bars are still seen, and can be pointed at. */
export const LEAST_BAR_PX = 5;
/** A wait shows its length from here. */
export const LABEL_FROM_PX = 62;
/** Room for the mark of a track that is longer than the scale. */
const LONGER_PX = 18;

const BARS: readonly PartType[] = ["asking", "answer", "failed", "waiting"];

/**
 * Parts on a scale of `scaleMs` over `widthPx`. Short bars are widened to five pixels at the expense of the waits after them;
 * positions otherwise stay at their time.
 */
export function placeParts(parts: readonly TrackPart[], scaleMs: number, widthPx: number): Placed {
  const pxPerMs = widthPx / scaleMs;
  // Half a pixel is no reason for the mark.
  const isLonger = endOf(parts, pxPerMs) > widthPx + 0.5;
  const edgePx = isLonger ? Math.max(0, widthPx - LONGER_PX) : widthPx;
  return { segments: lay(parts, pxPerMs, edgePx), isLonger };
}

/** Parts over the whole width: the scale is the track's own. */
export function fitParts(parts: readonly TrackPart[], widthPx: number): Placed {
  const spanMs = parts.at(-1)?.toMs ?? 0;
  if (spanMs <= 0) return { segments: lay(parts, 0, widthPx), isLonger: false };
  // Widened bars push the end out: look for the largest scale that fits.
  let [low, high] = [0, widthPx / spanMs];
  if (endOf(parts, high) <= widthPx) return { segments: lay(parts, high, widthPx), isLonger: false };
  for (let step = 0; step < 20; step++) {
    const middle = (low + high) / 2;
    if (endOf(parts, middle) <= widthPx) low = middle;
    else high = middle;
  }
  return { segments: lay(parts, low, widthPx), isLonger: false };
}

function lay(parts: readonly TrackPart[], pxPerMs: number, edgePx: number): readonly Segment[] {
  const segments: Segment[] = [];
  let x = 0;
  for (const part of parts) {
    if (x >= edgePx) break;
    const end = Math.min(edgePx, endOfPart(part, x, pxPerMs));
    segments.push({ part, x, width: end - x });
    x = end;
  }
  return segments;
}

function endOf(parts: readonly TrackPart[], pxPerMs: number): number {
  let x = 0;
  for (const part of parts) x = endOfPart(part, x, pxPerMs);
  return x;
}

function endOfPart(part: TrackPart, x: number, pxPerMs: number): number {
  const least = BARS.includes(part.type) ? x + LEAST_BAR_PX : x;
  return Math.max(least, part.toMs * pxPerMs);
}
