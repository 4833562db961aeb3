import type { Terminal } from "../../terminal/index.ts";

const CLEAR_LINE = "\r\u001b[2K";
const REDRAW_MS = 100;
const MOST_WIDTH = 30;
/** Short runs end before a bar could be read. */
const GRACE_MS = 500;

export interface ProgressBar {
  show(share: number): void;
  /** Leaves nothing behind. */
  clear(): void;
}

/** A bar that fills up in place; silent where nothing can be rewritten. */
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

/** Label, bar and percentage, within so many columns. */
export function barLine(share: number, columns: number, label: string): string {
  const percent = `${Math.floor(Math.min(1, Math.max(0, share)) * 100)} %`.padStart(5);
  const width = Math.min(MOST_WIDTH, columns - label.length - percent.length - 3);
  if (width < 5) return percent.trim();
  const full = Math.round(Math.min(1, Math.max(0, share)) * width);
  return `${label} ${"█".repeat(full)}${"░".repeat(width - full)} ${percent}`;
}
