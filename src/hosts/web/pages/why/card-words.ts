import { EXPLANATIONS } from "../../../../explain/explain-kind.ts";
import { sayDecision } from "../../explained/say-decision.ts";
import { durationIn } from "../../texts/duration.ts";
import type { Language } from "../../texts/language.ts";
import { TRACK_TEXTS } from "../../texts/track.ts";
import { WHY_TEXTS } from "../../texts/why.ts";
import type { Explained } from "./explain-error.ts";

/** The card in words, in one language. */
export interface CardWords {
  readonly title: string;
  /** Status and provider, as far as they are known. */
  readonly from: string;
  readonly happened: string;
  readonly helps: { readonly answer: "yes" | "no" | "unclear"; readonly text: string; readonly detail: string };
  readonly whoActs: string;
  readonly howLong: string;
  readonly howLongSource: string;
  readonly remedy: string;
  readonly message: string;
  readonly evidence: string;
  readonly kind: string;
  readonly verdict: string;
  readonly decisions: readonly { readonly name: string; readonly words: string }[];
}

export function cardWords({ failure, provider, hintSource, decisions }: Explained, language: Language): CardWords {
  const t = WHY_TEXTS[language];
  const track = TRACK_TEXTS[language];
  const { kind, status, hintMs, retryable, scope, evidence, message } = failure;
  const { whoActs, remedy } = t.explained?.[kind] ?? EXPLANATIONS[kind];
  const time = (ms: number): string => durationIn(language, ms);
  const { kind: shownKind, rest } = t.verdict(kind, scope, retryable);
  return {
    title: track.kind(kind),
    from: [status === undefined ? "" : t.status(status), provider ?? ""].filter((part) => part !== "").join(" · "),
    happened: evidence === "quota:never-fits" ? t.neverFits : track.happened(kind),
    helps: sayHelps(failure, language),
    whoActs: capital(whoActs),
    howLong: hintMs === undefined ? (retryable ? t.notSaid : "") : t.asAsked(time(hintMs)),
    howLongSource: saySource(hintSource, language),
    remedy: retryable ? "" : capital(remedy.replace(/ \(--status, --header\)$/, "")),
    message,
    evidence: evidence === "" ? t.noEvidence : evidence,
    kind: shownKind,
    verdict: rest,
    decisions: decisions.map((decision) => ({
      name: decision.preset,
      words: sayDecision(decision, language).replace(/[.。]$/, ""),
    })),
  };
}

function sayHelps({ retryable, hintMs, kind }: Explained["failure"], language: Language): CardWords["helps"] {
  const { helps } = WHY_TEXTS[language];
  const soon = hintMs === undefined ? "" : helps.soon(durationIn(language, hintMs));
  if (retryable) return { answer: "yes", text: helps.yes, detail: soon || helps.usually };
  if (kind === "unknown") return { answer: "unclear", text: helps.unclear, detail: "" };
  return { answer: "no", text: soon === "" ? helps.no : helps.notSoon, detail: soon };
}

function saySource(source: Explained["hintSource"], language: Language): string {
  const t = WHY_TEXTS[language];
  if (source?.header === undefined) return "";
  return source.textMs === undefined
    ? t.source(source.header)
    : t.sourceAndText(source.header, durationIn(language, source.textMs));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The card to paste elsewhere. */
export function cardText(words: CardWords, language: Language): string {
  const t = WHY_TEXTS[language];
  const rows: readonly (readonly [string, string])[] = [
    [t.whoActs, words.whoActs],
    [t.howLong, [words.howLong, words.howLongSource].filter((part) => part !== "").join(" ")],
    [t.whatHelps, words.remedy],
    [t.words, words.message],
    [t.decidedBy, `${words.evidence} → ${words.kind}${words.verdict}`],
  ];
  return [
    words.from === "" ? words.title : `${words.title} (${words.from})`,
    words.happened,
    [words.helps.text, words.helps.detail].filter((part) => part !== "").join(", "),
    "",
    ...rows.filter(([, value]) => value !== "").map(([label, value]) => `${label}: ${value}`),
    "",
    t.wouldDo,
    ...words.decisions.map(({ name, words: does }) => `  ${name}: ${does}`),
  ].join("\n");
}
