import { CLEAR_LINE, sayPatience, sayRetry, type Terminal, textWidth } from "../../terminal/index.ts";
import type { Counts, Embedded, WaitStart } from "./embed-lines.ts";

const TICK_MS = 250;
/** Work that is done sooner needs no progress. */
const SHOW_AFTER_MS = 1000;
/** Where lines can't be redrawn, a shorter wait is not worth one. */
const WORTH_A_LINE_MS = 5000;

/** What has been done so far, on stderr: redrawn in place in a terminal, else a line for each long wait. */
export class EmbedProgress {
  readonly #terminal: Terminal;
  readonly #now: () => number;
  readonly #startMs: number;
  #counts: Counts = { embedded: 0, failed: 0, skipped: 0 };
  #wait: { readonly start: WaitStart; readonly untilMs: number } | undefined;
  #ticking: NodeJS.Timeout | undefined;
  #lineUntilMs = 0;

  constructor(terminal: Terminal, now: () => number = () => performance.now()) {
    this.#terminal = terminal;
    this.#now = now;
    this.#startMs = now();
    if (terminal.isLive) this.#ticking = setInterval(() => this.#draw(), TICK_MS);
  }

  count(counts: Counts): void {
    this.#counts = { ...counts };
  }

  wait(start: WaitStart): void {
    const nowMs = this.#now();
    const { delayMs } = start;
    const untilMs = nowMs + delayMs;
    if (untilMs > (this.#wait?.untilMs ?? 0)) this.#wait = { start, untilMs };
    // Batches wait side by side: one line for all of them.
    if (this.#terminal.isLive || delayMs < WORTH_A_LINE_MS || nowMs < this.#lineUntilMs) return;
    this.#lineUntilMs = untilMs;
    const { text, patience } = sayWait(start, delayMs);
    this.#say(`${text}${patience} (${sayCounts(this.#counts)})`);
  }

  /** May be called twice. */
  stop(): void {
    if (this.#ticking === undefined) return;
    clearInterval(this.#ticking);
    this.#ticking = undefined;
    this.#terminal.write(CLEAR_LINE);
  }

  /** The last line. In a pipe, none if everything went well. */
  end({ stopped, ...counts }: Embedded, isCancelled: boolean, reason: string): void {
    this.stop();
    const { colours, isLive } = this.#terminal;
    const said = sayCounts(counts);
    if (isCancelled) this.#say(`Cancelled: ${said}. Resume with --resume FILE.`);
    else if (stopped !== undefined) this.#terminal.write(`${colours.redBright(`Stopped: ${said}. ${reason}`)}\n`);
    else if (isLive || counts.failed > 0) this.#say(`Done: ${said}.`);
  }

  #say(line: string): void {
    this.#terminal.write(`${this.#terminal.colours.yellow(line)}\n`);
  }

  #draw(): void {
    const nowMs = this.#now();
    const elapsedMs = nowMs - this.#startMs;
    if (elapsedMs < SHOW_AFTER_MS) return;
    const perSecond = Math.round((this.#counts.embedded / elapsedMs) * 1000);
    const leftMs = (this.#wait?.untilMs ?? 0) - nowMs;
    const wait = this.#wait === undefined || leftMs <= 0 ? undefined : sayWait(this.#wait.start, leftMs);
    const { embedded, failed } = this.#counts;
    const text = `${embedded} embedded, ${failed} failed, ${perSecond}/s${wait === undefined ? "" : `; ${wait.text}`}`;
    // The terminal prints ^C behind it.
    const room = this.#terminal.columns - 3;
    const shown = [text + (wait?.patience ?? ""), text].find((line) => textWidth(line) <= room);
    this.#terminal.write(`${CLEAR_LINE}${shown ?? text.slice(0, room)}`);
  }
}

function sayWait(start: WaitStart, leftMs: number): { readonly text: string; readonly patience: string } {
  const patience = sayPatience(start.waitedMs + start.delayMs - leftMs, start.patienceMs);
  return {
    text: `${sayRetry(start)} in ${Math.ceil(leftMs / 1000)} s`,
    patience: patience === "" ? "" : ` · ${patience}`,
  };
}

function sayCounts({ embedded, failed, skipped }: Counts): string {
  const lines = embedded === 1 ? "1 line" : `${embedded} lines`;
  return `${lines} embedded, ${failed} failed${skipped === 0 ? "" : `, ${skipped} skipped`}`;
}
