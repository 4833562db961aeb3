/** A row that takes more than its usual height. */
export interface OpenedRow {
  readonly index: number;
  /** Beyond the height of a closed row. */
  readonly extraPx: number;
}

export interface ListShape {
  readonly count: number;
  readonly rowPx: number;
  /** By index, ascending. */
  readonly opened: readonly OpenedRow[];
}

export interface Viewport {
  /** From the top of the list; negative: the list starts below the upper edge. */
  readonly fromPx: number;
  readonly heightPx: number;
  /** Rows beyond either edge, so that a short scroll shows no hole. */
  readonly overscan: number;
}

/** The rows to draw, `end` excluded, and the room that the others take. */
export interface VirtualWindow {
  readonly start: number;
  readonly end: number;
  readonly beforePx: number;
  readonly afterPx: number;
}

export function windowOf(shape: ListShape, { fromPx, heightPx, overscan }: Viewport): VirtualWindow {
  const { count } = shape;
  if (count === 0) return { start: 0, end: 0, beforePx: 0, afterPx: 0 };
  const start = Math.max(0, Math.min(count - 1, indexAt(shape, fromPx) - overscan));
  const end = Math.max(start, Math.min(count, indexAt(shape, fromPx + heightPx) + 1 + overscan));
  return { start, end, beforePx: topOf(shape, start), afterPx: topOf(shape, count) - topOf(shape, end) };
}

/** The distance from the top of the list to the top of a row; of `count`: the height of the list. */
export function topOf({ rowPx, opened }: ListShape, index: number): number {
  let px = index * rowPx;
  for (const row of opened) {
    if (row.index >= index) break;
    px += row.extraPx;
  }
  return px;
}

/** The row at this distance from the top. Before the first row: 0. */
export function indexAt({ count, rowPx, opened }: ListShape, px: number): number {
  let extraPx = 0;
  for (const row of opened) {
    const top = row.index * rowPx + extraPx;
    if (px < top + rowPx) break;
    if (px < top + rowPx + row.extraPx) return row.index;
    extraPx += row.extraPx;
  }
  return Math.max(0, Math.min(count - 1, Math.floor((px - extraPx) / rowPx)));
}
