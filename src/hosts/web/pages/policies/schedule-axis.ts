const STEPS_MS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
  1_200_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000, 28_800_000, 86_400_000, 172_800_000, 604_800_000,
  2_592_000_000, 31_536_000_000,
];
/** Ticks of an axis on which each is a few times the one before. */
const WIDE_TICKS_MS = [
  10, 100, 1000, 10_000, 60_000, 600_000, 3_600_000, 28_800_000, 259_200_000, 2_592_000_000, 31_536_000_000,
];

/** A time axis from 0. `at` gives the place of a time, 0 to 1. */
export interface TimeAxis {
  readonly ticksMs: readonly number[];
  at(ms: number): number;
}

/** From this many times the first moment on, the early ones would all be one dot on an even axis. */
const WIDE_FROM = 150;

/** An even axis, or one that gives early moments more room if they are much earlier than the last one. */
export function timeAxis(firstMs: number, lastMs: number): TimeAxis {
  if (!(lastMs > 0)) return { ticksMs: [0], at: () => 0 };
  return firstMs > 0 && lastMs / firstMs > WIDE_FROM ? wideAxis(firstMs, lastMs) : evenAxis(lastMs);
}

function evenAxis(lastMs: number): TimeAxis {
  const step = STEPS_MS.find((size) => lastMs / size <= 5) ?? lastMs / 4;
  const endMs = lastMs * 1.02;
  const count = Math.floor(endMs / step);
  return {
    ticksMs: Array.from({ length: count + 1 }, (_, index) => index * step),
    at: (ms) => Math.min(1, ms / endMs),
  };
}

function wideAxis(firstMs: number, lastMs: number): TimeAxis {
  // The first moment gets a tenth of the width: log(1 + t/first) is 0 at 0.
  const scale = Math.log1p((lastMs * 1.02) / firstMs);
  return {
    ticksMs: [0, ...WIDE_TICKS_MS.filter((tick) => tick >= firstMs && tick <= lastMs * 1.02)],
    at: (ms) => Math.min(1, Math.log1p(ms / firstMs) / scale),
  };
}
