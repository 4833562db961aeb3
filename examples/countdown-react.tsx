import { useEffect, useState, useSyncExternalStore } from "react";
import type { Wait, Waits } from "secondwind";

/** Every call that waits, with its countdown; nothing while none does. `of`: `waits(ask)`, called once beside `ask`. */
export function Countdown({ of: { subscribe, getSnapshot } }: { readonly of: Waits }) {
  const waiting = useSyncExternalStore(subscribe, getSnapshot, getSnapshot);
  return waiting.map((wait) => <WaitLine key={wait.id} wait={wait} />);
}

function WaitLine({ wait }: { readonly wait: Wait }) {
  const seconds = useSecondsUntil(wait.until);
  return (
    <p title={wait.verbatim}>
      {`${wait.message} — retry ${wait.retry} in ${seconds} s `}
      <button type="button" onClick={wait.retryNow}>
        Retry now
      </button>
      <button type="button" onClick={wait.giveUp}>
        Give up
      </button>
    </p>
  );
}

function useSecondsUntil(until: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 200);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((until - now) / 1000));
}
