import { onScopeDispose, type Ref, readonly, ref, watch } from "vue";

/** Well below a second, so that no figure of a countdown is skipped or late by much. */
const TICK_MS = 200;

/** The time now, kept current while `isOn`: nothing ticks without a countdown. */
export function useNow(isOn: () => boolean, clock: () => number = () => Date.now()): Readonly<Ref<number>> {
  const now = ref(clock());
  let timer: ReturnType<typeof setInterval> | undefined;
  const tick = (): void => {
    now.value = clock();
  };
  watch(
    isOn,
    (on) => {
      clearInterval(timer);
      tick();
      if (on) timer = setInterval(tick, TICK_MS);
    },
    { immediate: true },
  );
  onScopeDispose(() => clearInterval(timer));
  return readonly(now);
}
