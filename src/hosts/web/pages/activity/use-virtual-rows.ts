import { computed, onMounted, onScopeDispose, type Ref, shallowRef } from "vue";
import type { Entry } from "./activity-log.ts";
import { assignSlots } from "./assign-slots.ts";
import { nextRange } from "./next-range.ts";
import type { ActivityFeed } from "./use-activity-feed.ts";
import { indexAt, type ListShape, topOf, windowOf } from "./virtual-window.ts";

const OVERSCAN = 3;
/** Script, layout and paint of a row take about 2 ms on a slow computer, and a frame has 16. */
const ROWS_PER_FRAME = 8;

export interface DrawnRow {
  /** The element that draws it. */
  readonly slot: number;
  /** 0: the newest. */
  readonly index: number;
  readonly entry: Entry;
  /** An element without a row now. It stays, hidden, until one needs it. */
  readonly isSpare?: true;
}

interface Options {
  readonly feed: ActivityFeed;
  readonly list: Readonly<Ref<HTMLElement | null>>;
  readonly rowPx: Readonly<Ref<number>>;
  /** By id: the height of the opened part. */
  readonly opened: Readonly<Ref<ReadonlyMap<string, number>>>;
}

/** The rows that are near the viewport, each with an element of its own, and the room of the others. */
export function useVirtualRows({ feed, list, rowPx, opened }: Options) {
  const fromPx = shallowRef(0);
  const heightPx = shallowRef(900);
  let scroller: HTMLElement | undefined;
  let frame = 0;
  let slots: ReadonlyMap<number, number> = new Map();
  const elements: Entry[] = [];

  const shape = computed<ListShape>(() => {
    const rows = feed.rows.value;
    const extra = [...opened.value].flatMap(([id, extraPx]) => {
      // From the end: what is opened is most often among the newest.
      const at = rows.findLastIndex(({ record }) => record.id === id);
      return at === -1 ? [] : [{ index: rows.length - 1 - at, extraPx }];
    });
    return { count: rows.length, rowPx: rowPx.value, opened: extra.sort((one, other) => one.index - other.index) };
  });
  const view = computed(() =>
    windowOf(shape.value, { fromPx: fromPx.value, heightPx: heightPx.value, overscan: OVERSCAN }),
  );
  /** What is drawn now, on the way to `view`. */
  const start = shallowRef(0);
  const end = shallowRef(0);

  const drawn = computed<readonly DrawnRow[]>(() => {
    const rows = feed.rows.value;
    const picked: { index: number; entry: Entry }[] = [];
    for (let index = start.value; index < end.value; index++) {
      const entry = rows[rows.length - 1 - index];
      if (entry !== undefined) picked.push({ index, entry });
    }
    const current = assignSlots(
      slots,
      picked.map(({ entry }) => entry.serial),
    );
    slots = current;
    const used = new Set(current.values());
    const all = picked.map((row): DrawnRow => {
      const slot = current.get(row.entry.serial) ?? 0;
      elements[slot] = row.entry;
      return { ...row, slot };
    });
    for (const [slot, entry] of elements.entries())
      if (!used.has(slot)) all.push({ slot, entry, index: 0, isSpare: true });
    return all;
  });

  function measure(): void {
    frame = 0;
    if (list.value === null || scroller === undefined) return;
    // Read before anything is written: the browser lays out once.
    const top = list.value.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    fromPx.value = Math.round(-top);
    heightPx.value = scroller.clientHeight;
    feed.hold("scrolled", -top > rowPx.value);
    advance();
    if (end.value > shape.value.count - 2 * OVERSCAN && feed.older.value === "more") void feed.loadOlder();
  }

  function advance(): void {
    const first = indexAt(shape.value, fromPx.value);
    const current = { start: start.value, end: end.value };
    const next = nextRange(current, { target: view.value, first, most: ROWS_PER_FRAME });
    start.value = next.start;
    end.value = next.end;
    if (next.start !== view.value.start || next.end !== view.value.end) soon();
  }

  function soon(): void {
    if (frame === 0) frame = requestAnimationFrame(measure);
  }

  const observer = new ResizeObserver(soon);
  onMounted(() => {
    scroller = scrollerOf(list.value);
    scroller.addEventListener("scroll", soon, { passive: true });
    observer.observe(scroller);
    soon();
  });
  onScopeDispose(() => {
    cancelAnimationFrame(frame);
    observer.disconnect();
    scroller?.removeEventListener("scroll", soon);
  });

  return {
    drawn,
    beforePx: computed(() => topOf(shape.value, start.value)),
    afterPx: computed(
      () => topOf(shape.value, shape.value.count) - topOf(shape.value, Math.min(end.value, shape.value.count)),
    ),
    count: computed(() => shape.value.count),
    measure: soon,
    toTop: () => scroller?.scrollTo({ top: Math.max(0, scroller.scrollTop - fromPx.value - 80) }),
  };
}

function scrollerOf(element: HTMLElement | null): HTMLElement {
  for (let above = element?.parentElement; above; above = above.parentElement)
    if (/auto|scroll/.test(getComputedStyle(above).overflowY)) return above;
  return document.documentElement;
}
