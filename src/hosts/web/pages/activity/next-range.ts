/** Rows from `start`, `end` excluded. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

interface Aim {
  readonly target: Range;
  /** The first row in the viewport: drawn before those beyond its edges. */
  readonly first: number;
  /** The most rows that may be added. */
  readonly most: number;
}

/**
 * The rows to draw next, on the way to the target. A jump through the list needs all rows anew, which is too much work for one
 * frame: they are added a few at a time, from the top of the viewport.
 */
export function nextRange(current: Range, { target, first, most }: Aim): Range {
  const start = Math.max(current.start, target.start);
  const end = Math.min(current.end, target.end);
  // Nothing of it is left.
  if (start >= end) {
    const from = Math.max(target.start, Math.min(first, target.end));
    return extend({ start: from, end: from }, { target, first, most });
  }
  return extend({ start, end }, { target, first, most });
}

function extend(range: Range, { target, first, most }: Aim): Range {
  const above = Math.max(0, Math.min(range.start - target.start, most));
  const below = Math.max(0, Math.min(target.end - range.end, most));
  // What the viewport lacks comes first.
  if (range.start > first) return { start: range.start - above, end: range.end + Math.min(below, most - above) };
  return { start: range.start - Math.min(above, most - below), end: range.end + below };
}
