import { onMounted, onUnmounted, type Ref, ref, type ShallowRef } from "vue";

/** Closer to the end than this counts as at the end. */
const NEAR_PX = 48;

/** Keeps a scrolling column at its end while it grows, until the reader scrolls up. */
export function useStickToBottom(
  column: Readonly<ShallowRef<HTMLElement | null>>,
  content: Readonly<ShallowRef<HTMLElement | null>>,
): { readonly isStuck: Readonly<Ref<boolean>>; readonly toBottom: () => void } {
  const isStuck = ref(true);
  let lastTop = 0;

  function toBottom(): void {
    isStuck.value = true;
    const element = column.value;
    if (element === null) return;
    element.scrollTop = element.scrollHeight;
    lastTop = element.scrollTop;
  }

  function onScroll(): void {
    const element = column.value;
    if (element === null) return;
    const restPx = element.scrollHeight - element.clientHeight - element.scrollTop;
    // Upwards is the reader; when the column gets shorter, its end is still in view.
    if (element.scrollTop < lastTop - 1 && restPx > NEAR_PX) isStuck.value = false;
    else if (restPx <= NEAR_PX) isStuck.value = true;
    lastTop = element.scrollTop;
  }

  const observer = new ResizeObserver(() => {
    if (isStuck.value) toBottom();
  });
  onMounted(() => {
    if (column.value !== null) observer.observe(column.value);
    if (content.value !== null) observer.observe(content.value);
    column.value?.addEventListener("scroll", onScroll, { passive: true });
    toBottom();
  });
  onUnmounted(() => observer.disconnect());
  return { isStuck, toBottom };
}
