import { CLEAR_LINE, type Terminal } from "../../terminal/index.ts";

const REDRAW_MS = 100;
const MOST_WIDTH = 30;
/** Shorter runs show no bar. */
const GRACE_MS = 500;

interface ProgressBar {
  show(share: number): void;
  clear(): void;
}

/** A progress bar that is redrawn in place; writes nothing where that is not possible. */
export function progressBar(
  terminal: Terminal,
  label: string,
  now: () => number = () => performance.now(),
): ProgressBar {
  const startedMs = now();
  let drawnMs = Number.NEGATIVE_INFINITY;
  let isDrawn = false;
  return {
    show(share) {
      const nowMs = now();
      if (!terminal.isLive || nowMs - startedMs < GRACE_MS || nowMs - drawnMs < REDRAW_MS) return;
      drawnMs = nowMs;
      isDrawn = true;
      terminal.write(`${CLEAR_LINE}${barLine(share, terminal.columns, label)}`);
    },
    clear() {
      if (isDrawn) terminal.write(CLEAR_LINE);
      isDrawn = false;
    },
  };
}

/** Label, bar and percentage in at most `columns` columns. */
export function barLine(share: number, columns: number, label: string): string {
  const done = Math.min(1, Math.max(0, share));
  const percent = `${Math.floor(done * 100)} %`.padStart(5);
  const width = Math.min(MOST_WIDTH, columns - label.length - percent.length - 3);
  if (width < 5) return percent.trim();
  const full = Math.round(done * width);
  return `${label} ${"█".repeat(full)}${"░".repeat(width - full)} ${percent}`;
}
