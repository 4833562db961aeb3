import type { FailureKind, Target, TargetEntry } from "../../kernel/index.ts";
import type { ActivityAttempt, ActivityRecord } from "../../wire/http/activity.ts";

const LONGEST_CALL_MS = 3_600_000;

/** What a target would have done with a call. Times are milliseconds after the start of the call. */
export type Reply =
  | { readonly ok: true; readonly contentAfterMs: number; readonly afterMs: number }
  | {
      readonly ok: false;
      readonly kind: FailureKind;
      readonly status: number | undefined;
      /** The wait that the target asks for, counted from the end of the call. */
      readonly hintMs: number | undefined;
      /** The failure came after the commit point. */
      readonly contentAfterMs: number | undefined;
      readonly afterMs: number;
    };

/**
 * One target of a recorded generation, as it would have answered at any time. Times are milliseconds after the start of the
 * generation.
 * - It fails like the last attempt that was recorded before, with the same kind, status and duration. A hint names the same moment as
 *   the recorded one, so it shrinks as time passes.
 * - It answers from the moment of its recovery on, and takes as long as the recorded answer. When it recovered between the last failure
 *   and the answer is not recorded: `chance` (0 to 1) picks the moment.
 * - A target that never failed answers at any time. One that never answered fails for ever, as it did last.
 */
export class RecordedTarget {
  readonly #startedAt: number;
  readonly #failures: readonly ActivityAttempt[];
  readonly #answer: ActivityAttempt | undefined;
  readonly #recoveredAtMs: number;

  constructor(startedAt: number, attempts: readonly ActivityAttempt[], chance: number) {
    this.#startedAt = startedAt;
    this.#failures = attempts.filter(({ kind }) => kind !== undefined && kind !== "aborted");
    this.#answer = attempts.find(({ ok }) => ok === true);
    const last = this.#failures.at(-1);
    if (this.#answer === undefined) this.#recoveredAtMs = Number.POSITIVE_INFINITY;
    else if (last === undefined) this.#recoveredAtMs = Number.NEGATIVE_INFINITY;
    else this.#recoveredAtMs = this.#between(last.startedAt, this.#answer.startedAt, chance);
  }

  replyAt(atMs: number): Reply | undefined {
    if (this.#answer !== undefined && atMs >= this.#recoveredAtMs) return answered(this.#answer);
    const before = this.#failures.findLast(({ startedAt }) => startedAt - this.#startedAt <= atMs);
    const failure = before ?? this.#failures[0];
    return failure && this.#failed(failure, atMs);
  }

  #failed(recorded: ActivityAttempt, atMs: number): Reply {
    const { kind = "unknown", status, startedAt, endedAt = startedAt, hintMs, firstContentAt } = recorded;
    const afterMs = durationMs(startedAt, endedAt);
    const hintEndsMs = hintMs === undefined ? undefined : endedAt - this.#startedAt + hintMs;
    const leftMs = hintEndsMs === undefined ? undefined : hintEndsMs - (atMs + afterMs);
    const contentAfterMs = firstContentAt === undefined ? undefined : durationMs(startedAt, firstContentAt);
    return {
      ok: false,
      kind,
      status,
      hintMs: leftMs !== undefined && leftMs > 0 ? leftMs : undefined,
      contentAfterMs,
      afterMs,
    };
  }

  /** The attempt that answered started at `to`, so it must be answered; the failed one at `from` must not. */
  #between(from: number, to: number, chance: number): number {
    return to - this.#startedAt - Math.max(0, to - from - 1) * chance;
  }
}

function answered({ startedAt, endedAt = startedAt, firstContentAt = startedAt }: ActivityAttempt): Reply {
  const contentAfterMs = durationMs(startedAt, firstContentAt);
  return { ok: true, contentAfterMs, afterMs: Math.max(contentAfterMs, durationMs(startedAt, endedAt)) };
}

/** The wall clock may have jumped. */
function durationMs(from: number, to: number): number {
  return Math.min(LONGEST_CALL_MS, Math.max(0, to - from));
}

/** The targets that were tried, as a fallback chain in the order of their first use. */
export function chainOfRecord({ attempts }: ActivityRecord): readonly TargetEntry[] {
  const entries: { readonly provider: string; readonly model: string; readonly credentials: string[] }[] = [];
  for (const { target } of attempts) {
    const { provider, model, credential } = target;
    const entry = entries.find((one) => one.provider === provider && one.model === model);
    if (entry === undefined) entries.push({ provider, model, credentials: [credential] });
    else if (!entry.credentials.includes(credential)) entry.credentials.push(credential);
  }
  return entries;
}

export function isSameTarget(one: Target, other: Target): boolean {
  return one.provider === other.provider && one.model === other.model && one.credential === other.credential;
}
