import { sayDecision } from "../../explained/say-decision.ts";
import { durationIn } from "../../texts/duration.ts";
import type { Language } from "../../texts/language.ts";
import { TREATMENT_TEXTS } from "../../texts/treatments.ts";
import type { Treatment } from "./what-happens.ts";

/** One row of "What happens" in words. */
export function sayTreatment(treatment: Treatment, language: Language): string {
  const t = TREATMENT_TEXTS[language];
  const { followsHint, nextModelAfterMs, sameErrorStops, afterContent } = treatment;
  const sentences = [
    sayDecision(treatment, language),
    followsHint ? t.followsHint : "",
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
