import { readFileSync } from "node:fs";
import { classify } from "../../src/kernel/classify/classify.ts";
import type { Failure, FailureKind } from "../../src/kernel/model/failure.ts";

/** One recorded error with its label. */
export interface Labelled {
  readonly provider: string;
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly kind: FailureKind;
  readonly retryable: boolean;
  readonly hintMs: number | null;
  readonly source: string;
}

export interface Miss {
  readonly line: number;
  readonly provider: string;
  readonly field: "kind" | "retryable" | "hintMs";
  readonly wanted: unknown;
  readonly got: unknown;
  readonly evidence: string;
  readonly message: string;
}

export interface Score {
  readonly total: number;
  readonly kind: number;
  readonly retryable: number;
  readonly hint: number;
  readonly misses: readonly Miss[];
}

export function readCorpus(file: string): Labelled[] {
  const text = readFileSync(new URL(file, import.meta.url), "utf8");
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Labelled);
}

/** How often the classifier agrees with the labels, as shares of one, and where it does not. */
export function scoreCorpus(corpus: readonly Labelled[]): Score {
  const misses = corpus.flatMap((item, index) => missesOf(item, index + 1));
  const share = (field: Miss["field"]) => 1 - misses.filter((miss) => miss.field === field).length / corpus.length;
  return { total: corpus.length, kind: share("kind"), retryable: share("retryable"), hint: share("hintMs"), misses };
}

function missesOf(item: Labelled, line: number): Miss[] {
  const { status, headers, body, provider } = item;
  const failure = classify({ status, headers, body }, { provider });
  const miss = (field: Miss["field"], wanted: unknown, got: unknown): Miss => ({
    ...{ line, provider, field, wanted, got },
    evidence: failure.evidence,
    message: shorten(failure),
  });
  const found: Miss[] = [];
  if (failure.kind !== item.kind) found.push(miss("kind", item.kind, failure.kind));
  if (failure.retryable !== item.retryable) found.push(miss("retryable", item.retryable, failure.retryable));
  if ((failure.hintMs ?? null) !== item.hintMs) found.push(miss("hintMs", item.hintMs, failure.hintMs ?? null));
  return found;
}

function shorten(failure: Failure): string {
  return failure.message.length > 140 ? `${failure.message.slice(0, 140)}…` : failure.message;
}
