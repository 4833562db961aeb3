import { computed, type Ref, shallowRef } from "vue";
import { useTexts } from "../../texts/language.ts";
import { TRACK_TEXTS } from "../../texts/track.ts";
import { type AttemptWords, isFailed, sayAttempts } from "../../track/say-attempt.ts";
import type { ActivityFeed } from "./use-activity-feed.ts";

interface Place {
  readonly id: string;
  readonly attempt: number;
  /** Within the list. */
  readonly x: number;
  readonly y: number;
  /** Above its row: there is no room below. */
  readonly isAbove: boolean;
}

/** Three lines and a margin. */
const ROOM_PX = 110;

/**
 * The error in words, by pointer or keyboard: hovering a bar shows its attempt; a focused row shows its last failure, and left and
 * right step through the others. Escape closes it, and the pointer may rest on it. One for the whole list.
 */
export function useFailureTip(feed: ActivityFeed, list: Readonly<Ref<HTMLElement | null>>) {
  const texts = useTexts(TRACK_TEXTS);
  const place = shallowRef<Place>();

  const words = computed<AttemptWords | undefined>(() => {
    if (place.value === undefined) return undefined;
    feed.version.value;
    const { id, attempt: number } = place.value;
    const record = feed.get(id);
    const attempt = record?.attempts.find((one) => one.attempt === number);
    if (record === undefined || attempt === undefined) return undefined;
    // On its own, so that it is not "again"; without a countdown, which would be read out every second.
    return sayAttempts({ ...record, attempts: [attempt] }, texts.value, record.wait?.startedAt ?? 0)[0];
  });

  function showAt(row: HTMLElement, attempt: number, anchor: Element): void {
    const id = row.dataset.id ?? "";
    if (list.value === null) return;
    const [bar, face, box] = [anchor, row, list.value].map((element) => element.getBoundingClientRect());
    if (bar === undefined || face === undefined || box === undefined) return;
    const widthPx = Math.min(440, box.width - 16);
    const x = Math.max(8, Math.min(bar.left - box.left - 12, box.width - widthPx - 8));
    const faceHeight = row.querySelector(".row")?.getBoundingClientRect().height ?? face.height;
    const bottomPx = row.closest("main")?.getBoundingClientRect().bottom ?? window.innerHeight;
    const isAbove = face.top + faceHeight + ROOM_PX > bottomPx;
    place.value = { id, attempt, x, y: face.top - box.top + (isAbove ? 4 : faceHeight - 4), isAbove };
  }

  function point(event: PointerEvent): void {
    if (event.pointerType === "touch" || !(event.target instanceof Element)) return;
    if (event.target.closest("[role=tooltip]")) return;
    const bar = event.target.closest<HTMLElement>(".lane [data-attempt]");
    const row = bar?.closest<HTMLElement>("li[data-id]");
    const attempt = Number(bar?.dataset.attempt ?? 0);
    if (bar && row && attempt > 0) showAt(row, attempt, bar);
    else close();
  }

  /** A row was focused by keyboard. */
  function focus(event: FocusEvent): void {
    if (!(event.target instanceof HTMLElement) || !event.target.matches(".face:focus-visible")) return close();
    step(event.target, "last");
  }

  function step(face: HTMLElement, direction: -1 | 1 | "last"): void {
    const row = face.closest<HTMLElement>("li[data-id]");
    const record = row && feed.get(row.dataset.id ?? "");
    if (!row || !record) return close();
    const failed = record.attempts.filter(isFailed).map(({ attempt }) => attempt);
    const at = failed.indexOf(place.value?.id === record.id ? place.value.attempt : -1);
    const next = direction === "last" || at === -1 ? failed.at(-1) : failed[at + direction];
    if (next === undefined) {
      if (direction === "last") close();
      return;
    }
    const bar = row.querySelector(`.lane [data-attempt="${next}"]`);
    showAt(row, next, bar ?? row.querySelector(".lane") ?? row);
  }

  function close(): void {
    if (place.value !== undefined) place.value = undefined;
  }

  return { place, words, point, focus, step, close };
}
