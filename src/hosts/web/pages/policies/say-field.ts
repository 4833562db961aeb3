import { durationIn } from "../../texts/duration.ts";
import type { Language } from "../../texts/language.ts";
import { POLICIES_TEXTS } from "../../texts/policies.ts";
import { type FieldTexts, POLICY_FIELDS } from "../../texts/policy-fields.ts";
import type { Draft, Problem } from "./check-draft.ts";
import { type FieldSpec, fieldAt } from "./fields.ts";
import { genericPath, type PolicyPath, valueAt } from "./policy-path.ts";
import { readNumber, readPercent, readSeconds, writePercent, writeSeconds } from "./units.ts";

const DAY_MS = 86_400_000;

type NumberField = Extract<FieldSpec, { input: "number" }>;

export function fieldTexts(path: string, language: Language): FieldTexts {
  const texts = POLICY_FIELDS[language];
  const generic = genericPath(path);
  // A list has the words of its items.
  return texts[generic as PolicyPath] ?? texts[`${generic}[]` as PolicyPath] ?? { label: path, help: "" };
}

/** A number in the unit of its field, for the field itself. Text that is no number stays as it was typed. */
export function writeNumber(value: unknown, { unit }: NumberField): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "number") return String(value);
  if (unit === "seconds") return writeSeconds(value);
  return unit === "percent" ? writePercent(value) : String(value);
}

/** What a typed text is in the data; text that is no number stays text, which the engine's check refuses. */
export function readTyped(text: string, { unit, empty }: NumberField): unknown {
  if (text.trim() === "" && empty !== undefined) return empty === "null" ? null : undefined;
  if (unit === "seconds") return readSeconds(text) ?? text;
  return (unit === "percent" ? readPercent(text) : readNumber(text)) ?? text;
}

/** A value for people: "60 s", "25 %", "Full", "off", "no limit". */
export function sayValue(value: unknown, path: string, language: Language): string {
  const spec = fieldAt(genericPath(path));
  const texts = fieldTexts(path, language);
  const t = POLICIES_TEXTS[language].field;
  if (typeof value === "boolean") return value ? t.on : t.off;
  if (value === null || value === undefined) return texts.empty ?? t.off;
  if (Array.isArray(value)) return value.map((one) => sayValue(one, `${path}[0]`, language)).join(", ") || t.empty;
  if (spec?.input === "number" && typeof value === "number") return sayNumber(value, spec, language);
  if (typeof value === "object") return t.on;
  return texts.choices?.[String(value)]?.label ?? (String(value) || t.empty);
}

function sayNumber(value: number, spec: NumberField, language: Language): string {
  const t = POLICIES_TEXTS[language].field;
  const grouped = (text: string): string =>
    text.replace(/^\d{4,}/, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ","));
  if (spec.unit === "seconds") return `${grouped(writeSeconds(value))} ${t.seconds}`;
  if (spec.unit === "percent") return `${writePercent(value)} ${t.percent}`;
  return spec.unit === "times" ? `${t.times} ${value}` : grouped(String(value));
}

/** What is allowed in place of a refused value. */
export function sayProblem(problem: Problem, draft: Draft, language: Language): string {
  const t = POLICIES_TEXTS[language].field;
  const spec = fieldAt(genericPath(problem.path));
  const value = valueAt(draft, problem.path);
  if (spec?.input !== "number") return value === "" ? t.mustNotBeEmpty : t.mustBe(problem.allowed);
  const { empty } = fieldTexts(problem.path, language);
  const sentences = [
    sayBound(value, spec, leastOf(problem.path, spec, draft), language),
    spec.empty === undefined || empty === undefined ? "" : t.leaveEmpty(empty),
  ];
  return sentences.filter((sentence) => sentence !== "").join(language === "zh" ? "" : " ");
}

/** The longest pause between probes is no shorter than the first one. */
function leastOf(path: string, { min }: NumberField, draft: Draft): number {
  const first = path === "breaker.maxCooldownMs" ? valueAt(draft, "breaker.cooldownMs") : undefined;
  return typeof first === "number" ? Math.max(min, first) : min;
}

function sayBound(value: unknown, spec: NumberField, min: number, language: Language): string {
  const t = POLICIES_TEXTS[language].field;
  if (typeof value !== "number") return spec.unit === "seconds" ? t.mustBeTime : t.mustBeNumber;
  if (spec.max !== undefined && value > spec.max) {
    const inDays = spec.unit === "seconds" ? ` (${durationIn(language, Math.floor(spec.max / DAY_MS) * DAY_MS)})` : "";
    return t.atMost(
      `${sayNumber(spec.unit === "seconds" ? Math.floor(spec.max / 1000) * 1000 : spec.max, spec, language)}${inDays}`,
    );
  }
  if (value < min) return t.atLeast(sayNumber(min, spec, language));
  return t.mustBeWhole;
}
