import type { ActivityRecord } from "../../../wire/http/activity.ts";
import type { TrackTexts } from "../texts/track.ts";
import { sayWait } from "./say-time.ts";

/** B4: complete or not, attempts, waits, in one line: "Complete · 3 attempts · waited 15 s". */
export function sayReceipt(record: ActivityRecord, texts: TrackTexts): { text: string; tone: "good" | "bad" | "soft" } {
  const { word, tone } = wordOf(record);
  const parts = [texts.summary[word], texts.attempts(record.attemptCount)];
  if (record.waitedMs > 0) parts.push(texts.lineWaited(sayWait(record.waitedMs, texts)));
  return { text: parts.join(" · "), tone };
}

function wordOf({ state, outcome, truncated }: ActivityRecord): {
  word: keyof TrackTexts["summary"];
  tone: "good" | "bad" | "soft";
} {
  if (state !== "ended") return { word: "running", tone: "soft" };
  if (truncated) return { word: "truncated", tone: "bad" };
  if (outcome === "succeeded") return { word: "complete", tone: "good" };
  if (outcome === "aborted" || outcome === "gave-up") return { word: "stopped", tone: "soft" };
  return { word: "failed", tone: "bad" };
}
