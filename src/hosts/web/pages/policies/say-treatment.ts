import { durationIn } from "../../texts/duration.ts";
import type { Language } from "../../texts/language.ts";
import { TREATMENT_TEXTS } from "../../texts/treatments.ts";
import type { Treatment } from "./what-happens.ts";

/** One row of "What happens" in words. The figures of the schedule are in the picture above it. */
export function sayTreatment(treatment: Treatment, language: Language): string {
  const t = TREATMENT_TEXTS[language];
  const { nextModelAfterMs, sameErrorStops, afterContent } = treatment;
  const sentences = [
    ...sayMain(treatment, language),
    nextModelAfterMs === undefined
      ? ""
      : nextModelAfterMs === null
        ? t.nextModelAfter
        : t.nextModelOver(durationIn(language, nextModelAfterMs)),
    sameErrorStops === undefined ? "" : t.sameError(sameErrorStops),
    afterContent === undefined ? "" : t.afterContent[afterContent],
  ];
  return sentences.filter((sentence) => sentence !== "").join(t.between);
}

function sayMain(treatment: Treatment, language: Language): readonly string[] {
  const { action, elsewhere, otherwise } = treatment;
  const { short } = TREATMENT_TEXTS[language];
  const moves = elsewhere.length === 0 ? [] : [short.elsewhere(elsewhere)];
  if (otherwise !== undefined && elsewhere.length > 0) return [...moves, short.noneLeft[otherwise]];
  switch (action.type) {
    case "retry":
      return [...moves, sayRetry(treatment, language)];
    case "hand-over":
      return [short.handOver];
    case "stop":
      return elsewhere.length > 0 ? [...moves, short.noneLeft.stop] : [short.stop];
    default:
      return action satisfies never;
  }
}

function sayRetry({ action, followsHint, endsCall, isOtherLimit }: Treatment, language: Language): string {
  const { short, times } = TREATMENT_TEXTS[language];
  if (action.type !== "retry") return "";
  const limit = isOtherLimit && action.maxRetries !== null ? short.limit(times(action.maxRetries)) : "";
  if (action.mostMs === 0) return endsCall ? short.endsAtOnce(limit) : short.atOnce(limit);
  if (followsHint) return short.follows(limit);
  return endsCall ? short.ends(limit) : short.waits(limit);
}
