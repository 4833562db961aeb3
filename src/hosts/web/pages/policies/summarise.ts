import type { Policy } from "../../../../kernel/index.ts";
import { durationIn } from "../../texts/duration.ts";
import type { Language } from "../../texts/language.ts";
import { POLICIES_TEXTS } from "../../texts/policies.ts";
import type { Section } from "./fields.ts";
import { schedulePicture } from "./schedule-picture.ts";

/** What a section comes to, for its heading. */
export function summarise(section: Section, policy: Policy, language: Language): string {
  const t = POLICIES_TEXTS[language].summary;
  const time = (ms: number): string => durationIn(language, ms);
  switch (section) {
    case "waiting": {
      const general = policy.schedules.general;
      if (general === undefined) return "";
      const { retries, endMs } = schedulePicture(general, policy, 1);
      const parts = [retries === null ? "" : t.retries(retries), endMs === null ? "" : t.atMost(time(endMs))];
      return parts.filter((part) => part !== "").join(t.joined) || t.noLimit;
    }
    case "models": {
      const { when, longWaitMs, patienceMs } = policy.fallback;
      if (when !== "long-wait") return t.models[when];
      return t.models[when](time(Math.min(longWaitMs, patienceMs ?? longWaitMs)));
    }
    case "silence": {
      const { firstContentMs, idleMs } = policy.watchdog;
      const parts = [
        firstContentMs === null ? "" : t.firstWord(time(firstContentMs)),
        idleMs === null ? "" : t.idle(time(idleMs)),
      ];
      return parts.filter((part) => part !== "").join(t.joined) || t.never;
    }
    case "hopeless":
      return policy.sameServerError === null ? t.off : t.sameError(policy.sameServerError);
    case "protection": {
      const parts = [
        policy.breaker === null ? "" : t.breaker(policy.breaker.failures),
        policy.budget === null ? "" : t.budget(policy.budget.capacity),
      ];
      return parts.filter((part) => part !== "").join(t.joined) || t.off;
    }
    case "content":
      if (policy.require === null) return t.off;
      return "text" in policy.require ? policy.require.text : `/${policy.require.pattern}/`;
    case "rules": {
      const count = Object.keys(policy.statuses).length;
      return count === 0 ? t.byKind : [t.byKind, t.statuses(count)].join(t.joined);
    }
    case "classify":
      return t.rules(policy.classify.length);
    case "scope": {
      if (!policy.enabled) return t.disabled;
      if (policy.filter === null) return t.all;
      const { mode, ids } = policy.filter;
      return mode === "whitelist" ? t.only(ids.length) : t.allBut(ids.length);
    }
    default:
      return section satisfies never;
  }
}
