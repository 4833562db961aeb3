import type { ActivityRecord } from "../../../wire/http/activity.ts";
import type { TrackTexts } from "../texts/track.ts";
import { type FailureGroup, type FailureIcon, lookOf } from "./failure-groups.ts";
import { isFailed, sayProblem, sayWhere } from "./say-attempt.ts";
import { sayCount, sayTook, sayWait } from "./say-time.ts";

export interface ReceiptLine {
  readonly attempt: number;
  readonly at: string;
  readonly where: string;
  readonly what: string;
  /** The wait after it, or how long the first word took. */
  readonly after: string;
  readonly icon: FailureIcon | "check" | "dots";
  readonly group?: FailureGroup;
}

/** One line an attempt. `hasTimes`: the times of the attempts are known, not only the waits. */
export function receiptLines(record: ActivityRecord, texts: TrackTexts, hasTimes: boolean): readonly ReceiptLine[] {
  const tokens = record.usage === undefined ? "" : sayCount(record.usage.outputTokens);
  return record.attempts.map((attempt) => {
    const { waitedMs, firstContentAt, startedAt, kind } = attempt;
    const base = {
      attempt: attempt.attempt,
      at: sayTook(startedAt - record.startedAt, texts),
      where: sayWhere(attempt, texts),
    };
    if (isFailed(attempt)) {
      const waited = waitedMs === undefined || waitedMs <= 0 ? "" : texts.lineWaited(sayWait(waitedMs, texts));
      return { ...base, ...lookOf(kind ?? "unknown"), what: sayProblem(attempt, texts), after: waited };
    }
    const isKnown = hasTimes && firstContentAt !== undefined;
    const after = isKnown ? texts.lineFirstWord(sayTook(firstContentAt - startedAt, texts)) : "";
    return attempt.ok
      ? { ...base, icon: "check", what: texts.lineAnswered(tokens), after }
      : { ...base, icon: "dots", what: firstContentAt === undefined ? texts.asking : texts.answering, after };
  });
}
