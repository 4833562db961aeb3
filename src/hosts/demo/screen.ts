import { besideLabel, CLEAR_LINE, type Terminal, textWidth, wrapText } from "../../terminal/index.ts";
import { countdownLine } from "./countdown-line.ts";
import type { EventLine } from "./describe-event.ts";

const INDENT = "  ";
const TEXT_INDENT = "    ";
const TICK_MS = 100;
const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";

/** Writes line by line, redraws a countdown in place where that is possible, and writes the answer word by word. */
export class Screen {
  readonly #terminal: Terminal;
  #ticking: ReturnType<typeof setInterval> | undefined = undefined;
  /** Columns used on the unfinished line of the answer; 0: no such line. */
  #column = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    if (terminal.isLive) terminal.write(HIDE_CURSOR);
  }

  paragraph(text: string): void {
    this.#endLine();
    for (const line of wrapText(text, this.#terminal.columns - INDENT.length)) this.#line(`${INDENT}${line}`);
  }

  heading(text: string): void {
    this.#endLine();
    this.#line(`${INDENT}${this.#terminal.colours.bold(text)}`);
  }

  gap(): void {
    this.#endLine();
    this.#line("");
  }

  show({ mark, text, mood }: EventLine): void {
    this.#endLine();
    const tint = this.#tintOf(mood);
    const lines = wrapText(text, this.#terminal.columns - TEXT_INDENT.length);
    lines.forEach((line, index) => {
      this.#line(`${INDENT}${index === 0 ? tint(mark) : " "} ${mood === "calm" ? line : tint(line)}`);
    });
  }

  labelled(label: string, text: string): void {
    this.#endLine();
    const { columns, colours } = this.#terminal;
    const layout = { labelColumns: 11, columns: columns - INDENT.length, styleLabel: colours.dim };
    for (const line of besideLabel(label, text, layout)) this.#line(`${INDENT}${line}`);
  }

  word(text: string): void {
    const { columns, colours } = this.#terminal;
    const width = textWidth(text);
    if (this.#column > 0 && this.#column + 1 + width >= columns) this.#endLine();
    const lead = this.#column === 0 ? TEXT_INDENT : " ";
    this.#terminal.write(`${lead}${colours.cyan(text)}`);
    this.#column += lead.length + width;
  }

  /** Counts down until `stopCountdown`. Without a live terminal only the line before it announces the wait. */
  startCountdown(totalMs: number, offer: string): void {
    this.stopCountdown();
    if (!this.#terminal.isLive) return;
    const endsAt = performance.now() + totalMs;
    const draw = (): void => {
      const columns = this.#terminal.columns - TEXT_INDENT.length;
      const line = countdownLine(endsAt - performance.now(), totalMs, columns, offer);
      this.#terminal.write(`${CLEAR_LINE}${TEXT_INDENT}${this.#terminal.colours.yellow(line)}`);
    };
    draw();
    this.#ticking = setInterval(draw, TICK_MS);
  }

  stopCountdown(): void {
    if (this.#ticking === undefined) return;
    clearInterval(this.#ticking);
    this.#ticking = undefined;
    this.#terminal.write(CLEAR_LINE);
  }

  /** Restores the terminal. May be called twice. */
  close(): void {
    this.#endLine();
    if (this.#terminal.isLive) this.#terminal.write(SHOW_CURSOR);
  }

  #tintOf(mood: EventLine["mood"]): (text: string) => string {
    const { colours } = this.#terminal;
    return { calm: colours.bold, bad: colours.red, good: colours.green, change: colours.yellow }[mood];
  }

  #endLine(): void {
    this.stopCountdown();
    if (this.#column > 0) this.#terminal.write("\n");
    this.#column = 0;
  }

  #line(text: string): void {
    this.#terminal.write(`${text.trimEnd()}\n`);
  }
}
