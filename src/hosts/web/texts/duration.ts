import { sayDuration } from "../../../kernel/model/say-duration.ts";
import type { Language } from "./language.ts";

const ZH: readonly (readonly [RegExp, string])[] = [
  [/ days?\b/, " 天"],
  [/ ms\b/, " 毫秒"],
  [/ min\b/, " 分"],
  [/ h\b/, " 小时"],
  [/ s\b/, " 秒"],
];

/** A duration in the language of the page: "1 min 30 s", "1 分 30 秒". */
export function durationIn(language: Language, ms: number): string {
  const english = sayDuration(ms);
  return language === "en" ? english : ZH.reduce((text, [unit, word]) => text.replace(unit, word), english);
}
