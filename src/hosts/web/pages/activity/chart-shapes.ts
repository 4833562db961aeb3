/** Widths of the parts of a bar. A part that is not zero is seen, however small it is. */
export function sharesOf(
  counts: readonly number[],
  widthPx: number,
  options: { gapPx: number; leastPx: number },
): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const shown = counts.filter((count) => count > 0).length;
  if (total === 0) return counts.map(() => 0);
  const room = Math.max(0, widthPx - options.gapPx * (shown - 1));
  const leastPx = Math.min(options.leastPx, room / shown);
  const small = counts.filter((count) => count > 0 && (count / total) * room < leastPx);
  const rest = room - small.length * leastPx;
  const large = total - small.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => {
    if (count <= 0) return 0;
    return small.includes(count) ? leastPx : (count / large) * rest;
  });
}

/** Heights of the bars of a histogram. One that is not zero is at least two pixels high. */
export function barHeights(counts: readonly number[], heightPx: number): number[] {
  const most = Math.max(1, ...counts);
  return counts.map((count) => (count <= 0 ? 0 : Math.max(2, (count / most) * heightPx)));
}

/** A line over the whole width, and the area below it, as SVG paths. */
export function sparkline(
  values: readonly number[],
  widthPx: number,
  heightPx: number,
): { line: string; area: string } {
  if (values.length === 0) return { line: "", area: "" };
  const most = Math.max(1, ...values);
  const step = values.length === 1 ? 0 : widthPx / (values.length - 1);
  const y = (value: number): string => (heightPx - (Math.max(0, value) / most) * heightPx).toFixed(1);
  const points = (values.length === 1 ? [values[0] ?? 0, values[0] ?? 0] : values).map((value, index) => {
    const x = values.length === 1 ? index * widthPx : index * step;
    return `${x.toFixed(1)} ${y(value)}`;
  });
  const line = `M${points.join("L")}`;
  return { line, area: `${line}V${heightPx}H0Z` };
}
