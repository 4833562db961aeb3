import type { GenerationEvent } from "../../kernel/index.ts";
import { sayPatience, sayRetry, type Terminal, textWidth } from "../../terminal/index.ts";

export type WaitStart = Extract<GenerationEvent, { type: "wait-start" }>;

const TICK_MS = 250;
const CLEAR_LINE = "\r\u001b[2K";

const OFFER = "  Enter: now, Ctrl-C: cancel";
const SHORT_OFFER = "  Enter: now";

/** The wait without and with how long the generation has waited in all; the same where the policy has no limit in time. */
function waitTexts(wait: WaitStart, leftMs: number): { readonly short: string; readonly full: string } {
  const short = `${sayRetry(wait)} in ${Math.max(0, Math.ceil(leftMs / 1000))} s`;
  const patience = sayPatience(wait.waitedMs + Math.max(0, wait.delayMs - leftMs), wait.patienceMs);
  return { short, full: patience === "" ? short : `${short} · ${patience}` };
}

export function waitText(wait: WaitStart, leftMs: number): string {
  return waitTexts(wait, leftMs).full;
}

/** As much as fits: the offer is shortened first, then left out, then the patience. */
export function fitWait(wait: WaitStart, leftMs: number, room: number): string {
  const { short, full } = waitTexts(wait, leftMs);
  const shown = [full + OFFER, full + SHORT_OFFER, full].find((text) => textWidth(text) <= room);
  return shown ?? short.slice(0, room);
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
      // The last column stays free: a line that fills the window exactly wraps in some terminals.
      const line = fitWait(wait, endsAt - performance.now(), this.#terminal.columns - 1);
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
