import { onScopeDispose, type Ref, shallowRef } from "vue";
import { serverClock } from "../api/server-clock.ts";

/** The server's time, once a second, on the second: every countdown on a page steps at the same moment. */
export function useSeconds(): Readonly<Ref<number>> {
  const now = shallowRef(serverClock.now());
  let timer = 0;
  const tick = (): void => {
    now.value = serverClock.now();
    timer = window.setTimeout(tick, 1000 - (now.value % 1000) + 1);
  };
  tick();
  onScopeDispose(() => window.clearTimeout(timer));
  return now;
}
