/** A tab in the background has no frames, and does not always know that it is one. */
const LATEST_MS = 250;

/** Calls `show` once at the next frame, however often it is asked to. */
export function oncePerFrame(show: () => void): { readonly ask: () => void; readonly cancel: () => void } {
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    timer = undefined;
  };
  const run = (): void => {
    cancel();
    show();
  };
  return {
    ask: () => {
      if (timer !== undefined) return;
      frame = requestAnimationFrame(run);
      timer = setTimeout(run, LATEST_MS);
    },
    cancel,
  };
}
