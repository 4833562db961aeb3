/** Round numbers from 0 to at least `most`, about `wanted` of them. */
export function ticksTo(most: number, wanted = 4): readonly number[] {
  if (!(most > 0)) return [0, 1];
  const rough = most / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? 10 * power;
  const count = Math.ceil(most / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

const STEPS_SECONDS = [10, 20, 30, 60, 120, 300, 600, 1800, 3600, 7200, 14_400, 28_800];

/** About `wanted` round labels for a time axis, in seconds since the start of the outage. */
export function timeTicks(from: number, to: number, wanted = 6): readonly number[] {
  const step = STEPS_SECONDS.find((size) => (to - from) / size <= wanted) ?? 86_400;
  const first = Math.ceil(from / step) * step;
  const count = Math.floor((to - first) / step) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => first + index * step);
}

/** "−60 s", "2 min", "8 h". */
export function sayMoment(seconds: number): string {
  const sign = seconds < 0 ? "−" : "";
  const size = Math.abs(seconds);
  if (size >= 7200 && size % 1800 === 0) return `${sign}${size / 3600} h`;
  if (size >= 300 && size % 60 === 0) return `${sign}${size / 60} min`;
  return size === 0 ? "0" : `${sign}${size} s`;
}
