import { classify } from "../../src/kernel/classify/classify.ts";
import type { Failure, FailureKind } from "../../src/kernel/model/failure.ts";
import type { Labelled } from "./read-corpus.ts";

export interface Miss {
  readonly item: Labelled;
  readonly field: "kind" | "retryable" | "hintMs";
  readonly wanted: unknown;
  readonly got: unknown;
  readonly evidence: string;
  readonly message: string;
}

/** Shares are of one; NaN if there is nothing to count. */
export interface Score {
  readonly total: number;
  readonly kind: number;
  readonly retryable: number;
  /** Of all errors: the hint that was given, or none where none was. */
  readonly hint: number;
  /** Of those with a hint only. */
  readonly given: number;
  readonly misses: readonly Miss[];
}

type Judge = (item: Labelled) => Pick<Failure, "kind" | "retryable" | "hintMs" | "evidence" | "message">;

/** As the engine would see it: the answer of the endpoint, and the provider's name. */
export const judge: Judge = ({ status, headers, body, provider }) => classify({ status, headers, body }, { provider });

/** How often the classifier agrees with the labels, and where it does not. Labels that nothing can decide do not count. */
export function scoreCorpus(corpus: readonly Labelled[], by: Judge = judge): Score {
  const items = corpus.filter(({ undecidable }) => undecidable === undefined);
  const misses = items.flatMap((item) => missesOf(item, by));
  const hinted = items.filter(({ hintMs }) => hintMs !== null);
  const missed = (field: Miss["field"]) => misses.filter((miss) => miss.field === field);
  const share = (count: number, of: number) => 1 - count / of;
  return {
    total: items.length,
    kind: share(missed("kind").length, items.length),
    retryable: share(missed("retryable").length, items.length),
    hint: share(missed("hintMs").length, items.length),
    given: share(missed("hintMs").filter(({ wanted }) => wanted !== null).length, hinted.length),
    misses,
  };
}

function missesOf(item: Labelled, by: Judge): Miss[] {
  const failure = by(item);
  const { evidence, message } = failure;
  const hintMs = failure.hintMs ?? null;
  const miss = (field: Miss["field"], got: unknown): Miss => ({
    ...{ item, field, wanted: item[field], got, evidence },
    message: message.length > 140 ? `${message.slice(0, 140)}…` : message,
  });
  const found: Miss[] = [];
  if (failure.kind !== item.kind) found.push(miss("kind", failure.kind));
  if (failure.retryable !== item.retryable) found.push(miss("retryable", failure.retryable));
  if (!isSameWait(hintMs, item.hintMs)) found.push(miss("hintMs", hintMs));
  return found;
}

/** Labels are in whole milliseconds. */
export function isSameWait(a: number | null, b: number | null): boolean {
  return a === b || (a !== null && b !== null && Math.abs(a - b) < 1);
}

/** How often each kind was taken for which other one. */
export function confusion(
  misses: readonly Miss[],
): readonly (readonly [wanted: FailureKind, got: FailureKind, count: number])[] {
  const counts = new Map<string, number>();
  for (const { field, wanted, got } of misses) {
    if (field === "kind") counts.set(`${wanted} ${got}`, (counts.get(`${wanted} ${got}`) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([pair, count]) => [...(pair.split(" ") as [FailureKind, FailureKind]), count] as const);
}
