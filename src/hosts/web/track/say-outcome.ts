import type { ActivityRecord } from "../../../wire/http/activity.ts";
import type { TrackTexts } from "../texts/track.ts";
import { sayLeft } from "./say-time.ts";

/** How a generation stands, for its row. */
export interface OutcomeWords {
  readonly text: string;
  readonly tone: "good" | "wait" | "live" | "bad" | "soft";
  readonly icon: "check" | "clock" | "dots" | "octagon" | "square" | "pause";
}

export function sayOutcome(record: ActivityRecord, texts: TrackTexts, nowMs: number): OutcomeWords {
  const { outcomes } = texts;
  switch (record.state) {
    case "waiting": {
      const leftMs = (record.wait?.until ?? nowMs) - nowMs;
      return {
        tone: "wait",
        icon: "clock",
        text: leftMs > 0 ? outcomes.waiting(sayLeft(leftMs, texts)) : outcomes.retrying,
      };
    }
    case "answering":
      return { tone: "live", icon: "dots", text: outcomes.answering };
    case "attempting":
      return { tone: "live", icon: "dots", text: outcomes.asking };
    case "ended":
      return sayEnd(record, texts);
    default:
      record.state satisfies never;
      return sayEnd(record, texts);
  }
}

function sayEnd(record: ActivityRecord, { outcomes }: TrackTexts): OutcomeWords {
  const { outcome, attempts, attemptCount } = record;
  if (record.interrupted) return { tone: "soft", icon: "pause", text: outcomes.interrupted };
  if (outcome === "succeeded") {
    const text = attemptCount <= 1 ? outcomes.first : outcomes.retried(attemptCount - 1);
    return { tone: "good", icon: "check", text };
  }
  if (outcome === "aborted") return { tone: "soft", icon: "square", text: outcomes.stopped };
  if (outcome === "gave-up") return { tone: "soft", icon: "square", text: outcomes.gaveUp };
  const kind = attempts.findLast((attempt) => attempt.kind !== undefined)?.kind ?? "unknown";
  const byReason = outcome === undefined ? undefined : outcomes.byReason[outcome];
  const text = byReason ?? (record.truncated ? outcomes.truncated : (outcomes.byKind[kind] ?? outcomes.byKind.unknown));
  return { tone: "bad", icon: "octagon", text };
}
