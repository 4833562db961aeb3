import { sayDuration, textWidth } from "../../../terminal/index.ts";

/** What a person sees of a batch that runs. */
export interface Progress {
  /** Lines of the input. */
  readonly lines: number;
  /** With an answer, those of earlier runs included. */
  readonly done: number;
  readonly failed: number;
  /** Lines that wait between two attempts. */
  readonly waiting: number;
  /** Undefined: not known yet. */
  readonly perMinute: number | undefined;
  /** What keeps it from going faster; empty: nothing. */
  readonly holding: string;
}

const MOST_BAR = 20;

/** Two lines for a terminal: the bar and its numbers, and what holds it back. In a narrow one less important numbers are left out. */
export function progressLines(progress: Progress, columns: number): readonly [string, string] {
  const { lines, done, failed, waiting, holding } = progress;
  const share = lines === 0 ? 1 : (done + failed) / lines;
  const percent = `${Math.floor(share * 100)} %`;
  const count = `${plain(done)} of ${plain(lines)}`;
  const failures = failed === 0 ? [] : [`${plain(failed)} failed`];
  const waits = waiting === 0 ? [] : [`${plain(waiting)} waiting`];
  const rate = sayRate(progress);
  const left = sayLeft(progress);
  const texts = [
    [bar(share, MOST_BAR), percent, count, ...failures, ...waits, ...rate, ...left],
    [bar(share, 10), percent, count, ...failures, ...waits, ...rate, ...left],
    [percent, count, ...failures, ...waits, ...rate, ...left],
    [percent, count, ...failures, ...rate, ...left],
    [percent, count, ...failures, ...left],
    [percent, count, ...failures],
    [percent, ...left],
    [percent],
  ].map((parts) => parts.join("  "));
  return [texts.find((text) => textWidth(text) <= columns) ?? "", cut(holding, columns)];
}

/** One line for a log. */
export function progressText(progress: Progress): string {
  const { lines, done, failed, waiting, holding } = progress;
  const counts = [`${plain(done)} of ${plain(lines)} done`, `${plain(failed)} failed`, `${plain(waiting)} waiting`];
  const text = [...counts, ...sayRate(progress), ...sayLeft(progress)].join(", ");
  return holding === "" ? text : `${text}; ${holding}`;
}

function bar(share: number, width: number): string {
  const full = Math.min(width, Math.floor(share * width));
  return `${"█".repeat(full)}${"░".repeat(width - full)}`;
}

function sayRate({ perMinute }: Progress): readonly string[] {
  return perMinute === undefined ? [] : [`${plain(Math.round(perMinute))}/min`];
}

function sayLeft({ lines, done, failed, perMinute }: Progress): readonly string[] {
  if (perMinute === undefined || perMinute < 0.5) return [];
  const leftMs = ((lines - done - failed) / perMinute) * 60_000;
  return leftMs < 1000 ? [] : [`${sayDuration(roughly(leftMs))} left`];
}

/** To the minute if it takes hours: what changes every second is no estimate. */
function roughly(ms: number): number {
  return ms > 600_000 ? Math.round(ms / 60_000) * 60_000 : ms;
}

export function plain(number: number): string {
  return number.toLocaleString("en-US");
}

function cut(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let shown = "";
  for (const character of text) {
    if (textWidth(shown) + textWidth(character) > columns - 1) break;
    shown += character;
  }
  return `${shown}…`;
}
