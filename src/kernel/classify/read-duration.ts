const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
  ["w", 604_800_000],
]);

/** One part of a duration. Sticky: durations are read where they stand, never searched for. */
const PART =
  /\s?(?:and |, ?)?(\d{1,15}(?:\.\d{1,12})?)\s?(ms|milliseconds?|msecs?|s|secs?|seconds?|segundos?|secondes?|sekunden?|m|mins?|minutes?|minutos?|minuten|h|hrs?|hours?|horas?|heures?|d|days?|d[ií]as?|w|weeks?|毫秒|秒|分钟?|小时|時間|天|日|초|분|시간|일|(?:сек|мин|час|дн)[а-я]{0,6})(?![a-z])/y;

/** By the first character, where that is not the one of the English unit. */
const UNIT_OF: Readonly<Record<string, string>> = {
  ...{ 毫: "ms", 秒: "s", 분: "m", 分: "m", 小: "h", 時: "h", 天: "d", 日: "d", 초: "s", 시: "h", 일: "d" },
  ...{ с: "s", м: "m", ч: "h", д: "d" },
};
const MOST_PARTS = 6;

/** "6m0s", "20ms", "1.898s", "2 minutes", "3h6m38s" at a place in a lower-case text, in milliseconds. */
export function readDuration(text: string, at: number): number | undefined {
  let total: number | undefined;
  PART.lastIndex = at;
  for (let i = 0; i < MOST_PARTS; i++) {
    const part = PART.exec(text);
    if (part === null) break;
    total = (total ?? 0) + inMs(part[1] as string, part[2] as string);
  }
  return total;
}

function inMs(amount: string, unit: string): number {
  const first = unit.slice(0, 1);
  const short = UNIT_OF[first] ?? (/ms|mil/.test(unit) ? "ms" : first);
  const unitMs = UNIT_MS.get(short) as number;
  // Shifting the decimal point keeps "50.597142857s" at 50597.142857, where a multiplication would not.
  return unitMs === 1_000 ? Number(`${amount}e3`) : Number(amount) * unitMs;
}
