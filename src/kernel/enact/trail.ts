import type { Failure, FailureKind } from "../model/failure.ts";
import type { Target } from "../model/target.ts";

/** The receipt keeps this many attempts; a generation that retries for hours must not grow. */
const MOST_RECORDS = 50;
const NONE: readonly number[] = [];

/** A failed attempt as the receipt will tell it. */
export interface FailedAttempt {
  readonly attempt: number;
  readonly target: Target;
  readonly kind: FailureKind;
  readonly status: number | undefined;
  /** The wait after it; undefined: there was none. */
  readonly waitedMs: number | undefined;
}

/**
 * What a generation remembers between attempts. Made at its first failure, so that a call that succeeds at once never
 * pays for it; small, because a hundred thousand generations may sleep at the same time: what only a second failure or a
 * second schedule needs is not there before.
 */
export class Trail {
  failure: Failure | undefined = undefined;
  previousMs = 0;
  waitedMs = 0;
  /** While waiting: for how long, and which target comes afterwards. */
  waitMs = 0;
  waitTo = 0;
  /** Attempts on the current entry of the chain. */
  triesHere: number;
  leftSinceWait: readonly number[] = NONE;
  spent: readonly number[] = NONE;
  sameErrorRun = 0;
  blockedWaits = 0;
  warnings: readonly string[] | undefined = undefined;
  /** Number of the attempt that gave `failure`; 0: none was made. */
  private failedAttempt = 0;
  private waitedAfter: number | undefined = undefined;
  /** Retries and milliseconds of the first schedule; `others` has those of the rest, by twos. */
  private usedFirst = 0;
  private drawnFirst = 0;
  private others: readonly number[] | undefined = undefined;
  /** All failed attempts but the last, the newest at the end. */
  private earlier: FailedAttempt[] | undefined = undefined;

  constructor(triesHere: number) {
    this.triesHere = triesHere;
  }

  noteFailure(failure: Failure, attempt: number): void {
    const last = this.lastAttempt();
    if (last !== undefined) {
      this.earlier ??= [];
      this.earlier.push(last);
      if (this.earlier.length >= MOST_RECORDS) this.earlier.shift();
    }
    this.sameErrorRun = isSameServerError(this.failure, failure) ? this.sameErrorRun + 1 : 1;
    this.failure = failure;
    this.failedAttempt = attempt;
    this.waitedAfter = undefined;
  }

  /** The failed attempts that are remembered, the oldest first. */
  history(): readonly FailedAttempt[] {
    const last = this.lastAttempt();
    return last === undefined ? [] : [...(this.earlier ?? []), last];
  }

  /** Retries used up, by schedule. */
  used(): readonly number[] {
    return [this.usedFirst, ...(this.others ?? NONE).filter((_, index) => index % 2 === 0)];
  }

  /** What the schedules have drawn, in milliseconds. */
  drawnMs(): readonly number[] {
    return [this.drawnFirst, ...(this.others ?? NONE).filter((_, index) => index % 2 === 1)];
  }

  useUp(schedule: number, delayMs: number): void {
    this.previousMs = delayMs;
    if (schedule === 0) {
      this.usedFirst++;
      this.drawnFirst += delayMs;
      return;
    }
    const at = (schedule - 1) * 2;
    const others = Array.from({ length: Math.max(this.others?.length ?? 0, at + 2) }, (_, i) => this.others?.[i] ?? 0);
    others[at] = (others[at] ?? 0) + 1;
    others[at + 1] = (others[at + 1] ?? 0) + delayMs;
    this.others = others;
  }

  noteWait(waitedMs: number): void {
    this.waitedMs += waitedMs;
    this.waitedAfter = (this.waitedAfter ?? 0) + waitedMs;
    this.leftSinceWait = NONE;
  }

  noteMove(from: number): void {
    this.leftSinceWait = [...this.leftSinceWait, from];
    this.sameErrorRun = 0;
  }

  /** With `after-retries` an entry of the chain has its own counters, and is not come back to. */
  leaveEntry(entryOf: readonly number[], position: number): void {
    const left = entryOf.flatMap((entry, index) => (entry === entryOf[position] ? [index] : []));
    this.spent = [...this.spent, ...left];
    this.usedFirst = 0;
    this.drawnFirst = 0;
    this.others = undefined;
    this.previousMs = 0;
    this.triesHere = 0;
  }

  warn(message: string): void {
    this.warnings = [...(this.warnings ?? []), message];
  }

  private lastAttempt(): FailedAttempt | undefined {
    const { failure, failedAttempt: attempt } = this;
    if (failure?.target === undefined || attempt === 0) return undefined;
    return { attempt, target: failure.target, kind: failure.kind, status: failure.status, waitedMs: this.waitedAfter };
  }
}

/** Only a plain 500: a gateway's 502–504 or 529 says the same words all through an outage that does pass. */
function isSameServerError(before: Failure | undefined, now: Failure): boolean {
  return (
    before !== undefined &&
    now.status === 500 &&
    before.status === 500 &&
    now.kind === "server" &&
    now.target === before.target &&
    now.message !== "" &&
    now.message === before.message
  );
}
