import { computed, onMounted, onScopeDispose, type Ref, shallowRef } from "vue";
import type { Entry } from "./activity-log.ts";
import { assignSlots } from "./assign-slots.ts";
import type { ActivityFeed } from "./use-activity-feed.ts";
import { type ListShape, windowOf } from "./virtual-window.ts";

const OVERSCAN = 6;

export interface DrawnRow {
  /** The element that draws it. */
  readonly slot: number;
  /** 0: the newest. */
  readonly index: number;
  readonly entry: Entry;
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
  // Numbers of their own: a scroll by a pixel leaves them as they are, and nothing is drawn again.
  const start = computed(() => view.value.start);
  const end = computed(() => view.value.end);

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
    return picked.map((row) => ({ ...row, slot: current.get(row.entry.serial) ?? 0 }));
  });

  function measure(): void {
    frame = 0;
    if (list.value === null || scroller === undefined) return;
    const top = list.value.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    fromPx.value = Math.round(-top);
    heightPx.value = scroller.clientHeight;
    feed.hold("scrolled", -top > rowPx.value);
    if (end.value > shape.value.count - 2 * OVERSCAN && feed.older.value === "more") void feed.loadOlder();
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
    beforePx: computed(() => view.value.beforePx),
    afterPx: computed(() => view.value.afterPx),
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
