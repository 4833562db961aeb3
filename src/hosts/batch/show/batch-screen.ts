import { CLEAR_LINE, type Terminal } from "../../../terminal/index.ts";
import { type Progress, progressLines, progressText } from "./progress-lines.ts";

const REDRAW_MS = 250;
/** Where lines can't be redrawn: the first one, and then one a minute. */
const FIRST_LINE_MS = 10_000;
const LINE_EVERY_MS = 60_000;
/** Work that is done sooner needs no progress. */
const GRACE_MS = 500;
const LINE_UP = "\u001b[1A";

/** The progress of a batch on stderr: two lines redrawn in place in a terminal, else a line now and then. */
export class BatchScreen {
  readonly #terminal: Terminal;
  readonly #progress: () => Progress;
  readonly #now: () => number;
  #ticking: NodeJS.Timeout | undefined;
  #nextLineMs = 0;
  #startMs = 0;
  #isDrawn = false;

  constructor(terminal: Terminal, progress: () => Progress, now: () => number = () => performance.now()) {
    this.#terminal = terminal;
    this.#progress = progress;
    this.#now = now;
  }

  start(): void {
    this.#startMs = this.#now();
    this.#nextLineMs = this.#startMs + FIRST_LINE_MS;
    this.#ticking = setInterval(() => this.#tick(), REDRAW_MS);
  }

  /** May be called twice. */
  stop(): void {
    clearInterval(this.#ticking);
    this.#ticking = undefined;
    this.#clear();
  }

  /** A line that stays. */
  say(line: string): void {
    this.#clear();
    this.#terminal.write(`${line}\n`);
  }

  #tick(): void {
    const nowMs = this.#now();
    if (this.#terminal.isLive) {
      if (nowMs - this.#startMs >= GRACE_MS) this.#draw();
      return;
    }
    if (nowMs < this.#nextLineMs) return;
    this.#nextLineMs = nowMs + LINE_EVERY_MS;
    this.#terminal.write(`${progressText(this.#progress())}\n`);
  }

  #draw(): void {
    // The terminal prints ^C behind it.
    const [first, second] = progressLines(this.#progress(), this.#terminal.columns - 3);
    const { colours } = this.#terminal;
    this.#clear();
    this.#terminal.write(second === "" ? first : `${first}\n${colours.yellow(second)}${LINE_UP}\r`);
    this.#isDrawn = true;
  }

  #clear(): void {
    if (!this.#isDrawn) return;
    this.#isDrawn = false;
    // Down and up again: the second line may have been written before.
    this.#terminal.write(`${CLEAR_LINE}\n${CLEAR_LINE}${LINE_UP}\r`);
  }
}
