import type { ActivityAttempt, ActivityRecord } from "../../../wire/http/activity.ts";
import type { TrackTexts } from "../texts/track.ts";
import { type FailureGroup, type FailureIcon, lookOf } from "./failure-groups.ts";
import { sayCount, sayLeft, sayTook, sayWait } from "./say-time.ts";

/** One attempt in words. */
export interface AttemptWords {
  readonly attempt: number;
  /** Time since the request. */
  readonly at: string;
  readonly where: string;
  /** "Rate limit (429)." */
  readonly title: string;
  /** What it means. */
  readonly text: string;
  /** What was done about it. */
  readonly after: string;
  readonly icon: FailureIcon | "check" | "dots";
  readonly group?: FailureGroup;
}

/** Every attempt that the record still has, in words. */
export function sayAttempts(record: ActivityRecord, texts: TrackTexts, nowMs: number): readonly AttemptWords[] {
  return record.attempts.map((attempt, index) => ({
    attempt: attempt.attempt,
    at: sayTook(attempt.startedAt - record.startedAt, texts),
    where: sayWhere(attempt, texts),
    ...(isFailed(attempt)
      ? failedWords({ attempt, before: record.attempts[index - 1], record, texts, nowMs })
      : goodWords(attempt, record, texts)),
  }));
}

export const isFailed = ({ kind, ok }: ActivityAttempt): boolean => kind !== undefined || ok === false;

/** "Rate limit (429)". A broken stream started with 200, which is not what went wrong. */
export function sayProblem({ kind = "unknown", status }: ActivityAttempt, texts: TrackTexts): string {
  const isShown = status !== undefined && status >= 400;
  return texts.titled(texts.kind(kind), isShown ? `${status}` : "");
}

/** The model, and the key where there are several. */
export function sayWhere({ target }: ActivityAttempt, texts: TrackTexts): string {
  const model = target.provider === "" ? target.model : `${target.provider}/${target.model}`;
  return target.credential === "" ? model : texts.keyOf(model, target.credential);
}

interface Said {
  readonly attempt: ActivityAttempt;
  readonly before: ActivityAttempt | undefined;
  readonly record: ActivityRecord;
  readonly texts: TrackTexts;
  readonly nowMs: number;
}

type Words = Pick<AttemptWords, "title" | "text" | "after" | "icon" | "group">;

function failedWords({ attempt, before, record, texts, nowMs }: Said): Words {
  const { kind = "unknown" } = attempt;
  const isAgain = before?.kind === kind && before.status === attempt.status;
  const title = sayProblem(attempt, texts);
  return {
    ...lookOf(kind),
    title: `${isAgain ? texts.again(title) : title}${texts.end}`,
    text: isAgain ? "" : texts.happened(kind),
    after: sayAfter(attempt, record, texts, nowMs),
  };
}

function sayAfter(attempt: ActivityAttempt, { wait, state }: ActivityRecord, texts: TrackTexts, nowMs: number): string {
  const sentences = [
    state === "waiting" && wait?.attempt === attempt.attempt
      ? [
          ...(attempt.hintMs === undefined ? [] : [texts.asked(sayWait(attempt.hintMs, texts))]),
          texts.waitingFor(sayLeft(wait.until - nowMs, texts)),
        ].join(texts.between)
      : sayWaited(attempt, texts),
    attempt.moved === undefined ? "" : texts.moved[attempt.moved],
  ];
  return sentences.filter((sentence) => sentence !== "").join(texts.between);
}

function sayWaited({ hintMs, waitedMs, waitEnded }: ActivityAttempt, texts: TrackTexts): string {
  const asked = hintMs === undefined ? undefined : sayWait(hintMs, texts);
  if (waitedMs === undefined) return asked === undefined ? "" : texts.asked(asked);
  const waited = sayWait(waitedMs, texts);
  switch (waitEnded) {
    case "retry-now":
      return texts.retriedEarly(waited);
    case "gave-up":
      return texts.gaveUp(waited);
    case "aborted":
      return texts.stopped(waited);
    default:
      return asked === undefined ? texts.waited(waited) : texts.askedAndWaited(asked, waited);
  }
}

function goodWords(attempt: ActivityAttempt, record: ActivityRecord, texts: TrackTexts): Words {
  const { firstContentAt, startedAt, ok } = attempt;
  const firstWord = firstContentAt === undefined ? [] : [texts.firstWord(sayTook(firstContentAt - startedAt, texts))];
  if (ok === true) {
    const tokens = record.usage === undefined ? [] : [texts.tokens(sayCount(record.usage.outputTokens))];
    const complete = record.truncated === true ? [] : [texts.complete];
    return {
      icon: "check",
      title: `${texts.answered}${texts.end}`,
      text: [...firstWord, ...tokens, ...complete].join(texts.between),
      after: "",
    };
  }
  const title = record.interrupted ? texts.interrupted : firstContentAt === undefined ? texts.asking : texts.answering;
  return { icon: "dots", title: `${title}${texts.end}`, text: firstWord.join(texts.between), after: "" };
}
