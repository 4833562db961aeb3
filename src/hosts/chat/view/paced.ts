/** 30 pictures a second: more are not seen, and Ink would leave them out. */
const FRAME_MS = 33;
/** Painting has at most this share of the time, whatever a picture costs: the rest is for keys and for the stream. */
const MOST_SHARE = 0.5;

/**
 * Paints what was asked for any number of times once, and soon: never inside of the call that asks, and never without a
 * pause for whoever reads keys. The last one to ask is always served.
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
