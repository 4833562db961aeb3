import type { GenerationEvent } from "../../kernel/index.ts";
import { sayFailure, type Terminal, textWidth } from "../../terminal/index.ts";

export type WaitStart = Extract<GenerationEvent, { type: "wait-start" }>;

const TICK_MS = 250;
const CLEAR_LINE = "\r\u001b[2K";

const OFFER = "  Enter: now, Ctrl-C: cancel";

export function waitText({ failure, retry, maxRetries }: WaitStart, leftMs: number): string {
  const count = maxRetries === null ? `retry ${retry}` : `retry ${retry} of ${maxRetries}`;
  return `${sayFailure(failure)}; ${count} in ${Math.max(0, Math.ceil(leftMs / 1000))} s`;
}

/** Shows a wait: a countdown where the cursor can go back, else one plain line. */
export class WaitLine {
  readonly #terminal: Terminal;
  #ticking: ReturnType<typeof setInterval> | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  start(wait: WaitStart): void {
    const { isLive, colours, write } = this.#terminal;
    if (!isLive) return write(`${colours.yellow(waitText(wait, wait.delayMs))}\n`);
    const endsAt = performance.now() + wait.delayMs;
    const draw = (): void => {
      const text = waitText(wait, endsAt - performance.now());
      // The last column stays free: a line that fills the window exactly wraps in some terminals.
      const room = this.#terminal.columns - 1;
      const line = textWidth(text + OFFER) <= room ? text + OFFER : text.slice(0, room);
      write(`${CLEAR_LINE}${colours.yellow(line)}`);
    };
    draw();
    this.#ticking = setInterval(draw, TICK_MS);
  }

  /** May be called when none is shown. */
  stop(): void {
    if (this.#ticking === undefined) return;
    clearInterval(this.#ticking);
    this.#ticking = undefined;
    this.#terminal.write(CLEAR_LINE);
  }
}
