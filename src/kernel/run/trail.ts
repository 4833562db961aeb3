import { entryTargets } from "../decide/chain.ts";
import type { Failure } from "../model/failure.ts";
import type { AttemptRecord } from "../model/receipt.ts";
import { isSameServerError } from "./same-server-error.ts";
import { NO_RARE, NONE, type Rare, type TrailState } from "./trail-state.ts";

/** The receipt keeps this many attempts; a generation that retries for hours must not grow. */
const MOST_RECORDS = 50;
const NONE_USED: readonly number[] = [0];

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
  sameErrorRun = 0;
  blockedWaits = 0;
  /** The sum of those in which health held it back, since the patience last started again. */
  blockedMs = 0;
  limitWaits = 0;
  /** Number of the attempt that gave `failure`; 0: none was made. */
  private failedAttempt = 0;
  private waitedAfter: number | undefined = undefined;
  /** Retries and milliseconds of the first schedule; `rare.others` has those of the rest, by twos. */
  private usedFirst = 0;
  private drawnFirst = 0;
  private rare: Rare | undefined = undefined;

  constructor(triesHere: number) {
    this.triesHere = triesHere;
  }

  noteFailure(failure: Failure, attempt: number): void {
    this.archive();
    this.sameErrorRun = isSameServerError(this.failure, failure) ? this.sameErrorRun + 1 : 1;
    this.failure = failure;
    this.failedAttempt = attempt;
    this.waitedAfter = undefined;
    if (failure.below !== undefined) this.noteCalls(failure.below.calls);
    if (failure.confidence === "guess") this.makeRare().guesses++;
  }

  /** An attempt took so many calls in the layers below: one of them is the attempt itself. */
  noteCalls(calls: number): void {
    this.makeRare().moreCalls += calls - 1;
  }

  get guesses(): number {
    return this.rare?.guesses ?? 0;
  }

  get moreCalls(): number {
    return this.rare?.moreCalls ?? 0;
  }

  /** A failure that no attempt gave: the generation was ended from outside. The attempts before it stay as they were. */
  noteEnd(failure: Failure): void {
    this.archive();
    this.failure = failure;
    this.failedAttempt = 0;
  }

  private archive(): void {
    const last = this.lastAttempt();
    if (last === undefined) return;
    const { earlier } = this.makeRare();
    earlier.push(last);
    if (earlier.length >= MOST_RECORDS) earlier.shift();
  }

  /** Targets left since the last wait. */
  get leftSinceWait(): readonly number[] {
    return this.rare?.leftSinceWait ?? NONE;
  }

  /** Targets that are out for this generation. */
  get spent(): readonly number[] {
    return this.rare?.spent ?? NONE;
  }

  /** The sum of the waits in line. */
  get inLineMs(): number {
    return this.rare?.inLineMs ?? 0;
  }

  get patienceUsedMs(): number {
    return Math.max(0, this.waitedMs - (this.rare?.forgivenMs ?? 0));
  }

  /** The sum of the waits since the current entry was entered. */
  get waitedHereMs(): number {
    return this.waitedMs - (this.rare?.enteredAtMs ?? 0);
  }

  get warnings(): readonly string[] {
    return this.rare?.warnings ?? [];
  }

  /** The failed attempts that are remembered, the oldest first. */
  history(): readonly AttemptRecord[] {
    const last = this.lastAttempt();
    const earlier = this.rare?.earlier ?? [];
    return last === undefined ? [...earlier] : [...earlier, last];
  }

  /** Retries used up, by schedule. */
  used(): readonly number[] {
    return this.tally(this.usedFirst, 0);
  }

  /** What the schedules have drawn, in milliseconds. */
  drawnMs(): readonly number[] {
    return this.tally(this.drawnFirst, 1);
  }

  useUp(schedule: number, delayMs: number): void {
    this.previousMs = delayMs;
    if (schedule === 0) {
      this.usedFirst++;
      this.drawnFirst += delayMs;
      return;
    }
    const rare = this.makeRare();
    const at = (schedule - 1) * 2;
    while (rare.others.length < at + 2) rare.others.push(0);
    rare.others[at] = (rare.others[at] as number) + 1;
    rare.others[at + 1] = (rare.others[at + 1] as number) + delayMs;
  }

  /** A wait after a limit that uses up no retry. Unlike the patience of those who are held back, it never starts again. */
  noteInLine(delayMs: number): void {
    this.makeRare().inLineMs += delayMs;
  }

  /** The target answers others, so this generation's turn will come. */
  restartPatience(): void {
    if (this.blockedMs > 0) this.makeRare().forgivenMs += this.blockedMs;
    this.blockedMs = 0;
    this.limitWaits = 0;
  }

  noteWait(waitedMs: number): void {
    this.waitedMs += waitedMs;
    this.waitedAfter = (this.waitedAfter ?? 0) + waitedMs;
    if (this.rare !== undefined) this.rare.leftSinceWait = NONE;
  }

  noteMove(from: number): void {
    this.makeRare().leftSinceWait = [...this.leftSinceWait, from];
    this.sameErrorRun = 0;
  }

  /** These have refused for good: they are not come back to. */
  spend(refused: readonly number[]): void {
    const rare = this.makeRare();
    rare.spent = [...rare.spent, ...refused];
  }

  /** Another entry of the chain is tried: what it may keep the generation waiting for counts from here. */
  enterEntry(): void {
    this.makeRare().enteredAtMs = this.waitedMs;
  }

  /** With `after-retries` an entry of the chain has its own counters, and is not come back to. */
  leaveEntry(entryOf: readonly number[], position: number): void {
    this.spend(entryTargets(entryOf, position));
    this.makeRare().others = [];
    this.usedFirst = 0;
    this.drawnFirst = 0;
    this.previousMs = 0;
    this.triesHere = 0;
  }

  warn(message: string): void {
    this.makeRare().warnings.push(message);
  }

  /** Everything it remembers, as plain data: a {@link TrailState}. Positions are those of the chain, schedules those of the policy. */
  save(): object {
    const { failure, previousMs, waitedMs, waitMs, waitTo, triesHere, sameErrorRun, rare } = this;
    const { blockedWaits, blockedMs, limitWaits, failedAttempt, waitedAfter } = this;
    return {
      ...{ failure, previousMs, waitedMs, waitMs, waitTo, triesHere, sameErrorRun },
      ...{ blockedWaits, blockedMs, limitWaits, failedAttempt, waitedAfter },
      used: this.used(),
      drawnMs: this.drawnMs(),
      rare: rare ?? NO_RARE,
    } satisfies TrailState;
  }

  /** `state`: what {@link save} returned. */
  static restore(state: object): Trail {
    const { used, drawnMs, rare, ...plain } = state as TrailState;
    const trail = Object.assign(new Trail(plain.triesHere), plain);
    // Every policy has a schedule.
    trail.usedFirst = used[0] as number;
    trail.drawnFirst = drawnMs[0] as number;
    const others = used.slice(1).flatMap((count, at) => [count, drawnMs[at + 1] as number]);
    trail.rare = { ...rare, earlier: [...rare.earlier], warnings: [...rare.warnings], others };
    return trail;
  }

  private tally(first: number, column: 0 | 1): readonly number[] {
    const others = this.rare?.others;
    if (first === 0 && (others === undefined || others.length === 0)) return NONE_USED;
    const tally = [first];
    if (others !== undefined) for (let at = column; at < others.length; at += 2) tally.push(others[at] as number);
    return tally;
  }

  private makeRare(): Rare {
    this.rare ??= { ...NO_RARE, earlier: [], others: [], warnings: [] };
    return this.rare;
  }

  private lastAttempt(): AttemptRecord | undefined {
    const { failure, failedAttempt: attempt, waitedAfter: waitedMs } = this;
    if (failure?.target === undefined || attempt === 0) return undefined;
    const { target, kind, status, confidence } = failure;
    return {
      attempt,
      target,
      kind,
      ...(status !== undefined && { status }),
      ...(confidence !== "certain" && { confidence }),
      ...(waitedMs !== undefined && { waitedMs }),
    };
  }
}
