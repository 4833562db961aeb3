import type { Wait, Waits } from "secondwind";
import { defineComponent, h, onScopeDispose, type PropType, type ShallowRef, shallowRef } from "vue";

/** The waits as a ref, for as long as the component lives. */
export function useWaits({ subscribe, getSnapshot }: Waits): Readonly<ShallowRef<readonly Wait[]>> {
  const waiting = shallowRef(getSnapshot());
  onScopeDispose(
    subscribe(() => {
      waiting.value = getSnapshot();
    }),
  );
  return waiting;
}

/** Every call that waits, with its countdown; nothing while none does. `of`: `waits(ask)`, called once beside `ask`. */
export const Countdown = defineComponent({
  props: { of: { type: Object as PropType<Waits>, required: true } },
  setup(props) {
    const waiting = useWaits(props.of);
    const now = shallowRef(Date.now());
    const timer = setInterval(() => {
      now.value = Date.now();
    }, 200);
    onScopeDispose(() => clearInterval(timer));
    const secondsOf = ({ until }: Wait) => Math.max(0, Math.ceil((until - now.value) / 1000));
    return () =>
      waiting.value.map((wait) =>
        h("p", { key: wait.id, title: wait.verbatim }, [
          `${wait.message} — retry ${wait.retry} in ${secondsOf(wait)} s `,
          h("button", { onClick: wait.retryNow }, "Retry now"),
          h("button", { onClick: wait.giveUp }, "Give up"),
        ]),
      );
  },
});
