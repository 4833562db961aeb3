import type { ActivityRecord } from "../../../wire/http/activity.ts";
import type { TrackTexts } from "../texts/track.ts";
import { isFailed, sayProblem } from "./say-attempt.ts";
import { sayTook, sayWait } from "./say-time.ts";

/** A label must end somewhere: the opened row has it all. */
const MOST_STEPS = 8;

/**
 * The sentence that stands for a track: "attempt 1 failed (Rate limit (429)), then waited 5 s, then answered after 19.2 s."
 * It has no countdown: a label that changes every second would be read out every second.
 */
export function sayTrack(record: ActivityRecord, texts: TrackTexts): string {
  const { sentence } = texts;
  const steps: string[] = [];
  for (const attempt of record.attempts) {
    const hasContent = attempt.firstContentAt !== undefined;
    if (isFailed(attempt)) {
      const problem = sayProblem(attempt, texts);
      steps.push(
        `${sentence.attempt(attempt.attempt)} ${hasContent ? sentence.brokeOff(problem) : sentence.failed(problem)}`,
      );
    } else if (attempt.ok === true) {
      steps.push(sentence.answered(sayTook((attempt.endedAt ?? attempt.startedAt) - record.startedAt, texts)));
    } else if (record.state !== "ended") steps.push(hasContent ? sentence.answering : sentence.asking);
    if (attempt.waitedMs !== undefined && attempt.waitedMs > 0)
      steps.push(sentence.wait(sayWait(attempt.waitedMs, texts)));
  }
  if (record.state === "waiting" && record.wait !== undefined) steps.push(sentence.waiting);
  if (steps.length === 0) return sentence.joined([sentence.asking]);
  const dropped = steps.length - MOST_STEPS;
  return sentence.joined(
    dropped <= 1 ? steps : [...steps.slice(0, 3), sentence.more(dropped), ...steps.slice(3 - MOST_STEPS)],
  );
}
