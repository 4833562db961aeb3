/** Lower case, in the languages of the corpus. Each is one group of {@link PART}, in this order. */
const UNITS: readonly (readonly [ms: number, names: string])[] = [
  [1, "m(?:illi)?s(?:ec(?:ond)?s?)?|毫秒|ミリ秒|밀리초"],
  [1_000, "s(?:e[cgk](?:s|[ou]nd[a-zęé]{0,2})?|aniye)?|giây|detik|秒|초|сек[а-я]{0,4}"],
  [60_000, "m(?:in(?:s|ut[a-zęúy]{0,3})?|enit)?|dakika|phút|分[钟鐘間]?|분|мин[а-я]{0,4}"],
  [
    3_600_000,
    "h(?:r?s?|ours?|eures?|oras?)|or[ae]|stunden?|godzin[aęy]?|saat|giờ|jam|小[时時]|時間|시간|час[а-я]{0,2}",
  ],
  [86_400_000, "d(?:ays?|[ií]as?|ni)?|tag(?:en?)?|jours?|giorn[io]|gün|ngày|hari|天|日|일|д(?:н[а-я]{0,2}|ень)"],
  [604_800_000, "w(?:eeks?)?|wochen?|sem(?:an|ain)[ae]s?|周|週間?|주|недел[а-я]"],
];
const NUMBER_AND_UNIT = `(\\d{1,15}(?:[.,]\\d{1,12})?)[ -]?(?:个|more )?(?:${UNITS.map(([, names]) => `(${names})`).join("|")})`;

/** One part of a duration, and what joins it to the one before; `T` stands in ISO 8601's "P1DT2H". */
const PART = new RegExp(`(?:pt?|t|,? ?(?:and|und|et|y|e|и) |, ?|\\s)?${NUMBER_AND_UNIT}(?!\\d{3}|(?!t\\d)[a-z])`, "y");
const CLOCK = /(\d{1,3}):(\d\d):(\d\d)(?![:\d])/y;
const MOST_PARTS = 6;

/** Where a duration may begin, in a lower-case text. */
export const DURATION = new RegExp(`${NUMBER_AND_UNIT}|\\d{1,3}:\\d\\d:\\d\\d`, "g");

export interface Duration {
  readonly ms: number;
  /** Where it ends in the text. */
  readonly end: number;
}

/** "6m0s", "20ms", "1.898s", "2 minutes", "pt1m30s", "00:01:30" at a place in a lower-case text. */
export function durationAt(text: string, at: number): Duration | undefined {
  let ms: number | undefined;
  let end = at;
  for (let i = 0; i < MOST_PARTS; i++) {
    PART.lastIndex = end;
    const part = PART.exec(text);
    if (part === null) break;
    ms = (ms ?? 0) + inMs(part);
    end = PART.lastIndex;
  }
  return ms === undefined ? clockAt(text, at) : { ms, end };
}

/** The same in milliseconds, of a text in any case. */
export function readDuration(text: string): number | undefined {
  return durationAt(text.toLowerCase(), 0)?.ms;
}

function inMs([, amount = "", ...units]: RegExpExecArray): number {
  // "1,500 ms" in English, "1,5 Minuten" elsewhere.
  const plain = /,\d{3}$/.test(amount) ? amount.replace(",", "") : amount.replace(",", ".");
  const unitMs = (UNITS[units.findIndex((unit) => unit !== undefined)] as readonly [number, string])[0];
  // Shifting the decimal point keeps "50.597142857s" at 50597.142857, where a multiplication would not.
  return unitMs === 1_000 ? Number(`${plain}e3`) : Number(plain) * unitMs;
}

function clockAt(text: string, at: number): Duration | undefined {
  CLOCK.lastIndex = at;
  const found = CLOCK.exec(text);
  if (found === null) return undefined;
  const [, hours, minutes, seconds] = found;
  return { ms: Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1_000, end: CLOCK.lastIndex };
}
