import type { PolicyAction, PolicyDecision } from "../../../explain/preset-decisions.ts";
import { durationIn } from "../texts/duration.ts";
import type { Language } from "../texts/language.ts";
import { TREATMENT_TEXTS } from "../texts/treatments.ts";

/** What a policy does about a failure, as a sentence. */
export function sayDecision(
  { action, elsewhere }: Pick<PolicyDecision, "action" | "elsewhere">,
  language: Language,
): string {
  const t = TREATMENT_TEXTS[language];
  const here = sayAction(action, language);
  return t.sentence(elsewhere.length === 0 ? here : t.otherwise(elsewhere, here));
}

function sayAction(action: PolicyAction, language: Language): string {
  const t = TREATMENT_TEXTS[language];
  switch (action.type) {
    case "retry": {
      const limit = t.limit([
        ...(action.maxRetries === null ? [] : [t.times(action.maxRetries)]),
        ...(action.patienceMs === null ? [] : [t.inAll(durationIn(language, action.patienceMs))]),
      ]);
      if (action.mostMs === 0) return t.atOnce(limit);
      const most = durationIn(language, action.mostMs);
      return t.waits(action.leastMs < action.mostMs ? t.upTo(most) : most, limit);
    }
    case "hand-over":
      return t.handOver;
    case "stop":
      return t.stops(sayStop(action, language));
    default:
      return action satisfies never;
  }
}

function sayStop(action: Extract<PolicyAction, { type: "stop" }>, language: Language): string {
  const { stopWhy } = TREATMENT_TEXTS[language];
  const { reason } = action;
  if (reason === "delay-cap") return stopWhy[reason](durationIn(language, action.capMs ?? 0));
  if (reason === "not-retryable") return action.isHopeless ? stopWhy.cannotHelp : stopWhy[reason];
  if (reason === "no-target") return "";
  if (reason in stopWhy) return stopWhy[reason as Exclude<keyof typeof stopWhy, "delay-cap">];
  return action.because;
}
