/** 30 frames a second: Ink drops more than that. */
const FRAME_MS = 33;
/** Painting takes at most this share of the time, however slow a frame is: the rest is for keys and the stream. */
const MOST_SHARE = 0.5;

/**
 * Merges requests to paint: one frame soon after the first request, never inside the call that asks, and with a pause between
 * frames in which keys are read. The last request always gets a frame.
 */
export function paced(paint: () => void): { readonly ask: () => void; readonly stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let restUntilMs = 0;
  const run = (): void => {
    timer = undefined;
    const startMs = performance.now();
    paint();
    const endMs = performance.now();
    restUntilMs = Math.max(startMs + FRAME_MS, endMs + (endMs - startMs) * (1 / MOST_SHARE - 1));
  };
  return {
    ask: () => {
      timer ??= setTimeout(run, Math.max(0, restUntilMs - performance.now()));
    },
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
