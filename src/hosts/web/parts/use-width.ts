import { onScopeDispose, type Ref, shallowRef, watch } from "vue";

/** The width of an element in pixels. */
export function useWidth(element: Readonly<Ref<Element | null>>): Readonly<Ref<number>> {
  const width = shallowRef(0);
  const observer = new ResizeObserver(([entry]) => {
    if (entry !== undefined) width.value = entry.contentRect.width;
  });
  watch(
    element,
    (now, before) => {
      if (before) observer.unobserve(before);
      if (now !== null) observer.observe(now);
    },
    { immediate: true, flush: "post" },
  );
  onScopeDispose(() => observer.disconnect());
  return width;
}
