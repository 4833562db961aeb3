import { FAILURE_KINDS } from "../../src/kernel/model/failure.ts";
import type { Labelled } from "./read-corpus.ts";

const SCOPES = ["request", "credential", "model", "provider"];
const PLACES = ["http", "stream", "client"];
/** Two texts are one error if so many of their word triples are the same, numbers aside. */
const SAME_SHARE = 0.9;
const LEAST_TRIPLES = 8;

/** What is wrong with a line, by field. Empty: nothing. */
export function checkLine(item: Labelled): string[] {
  const { id, added, seen, provider, via, status, headers, body, where, language } = item;
  const { kind, scope, retryable, hintMs, source, why, undecidable } = item;
  const isText = (value: unknown) => typeof value === "string" && value.trim() !== "";
  const rules: Readonly<Record<string, boolean>> = {
    id: isText(id) && /^[\w.+-]{3,80}$/.test(id),
    added: /^\d{4}-\d\d-\d\d$/.test(added),
    seen: typeof seen === "boolean",
    provider: isText(provider),
    via: via === undefined || isText(via),
    status: status === null || (Number.isInteger(status) && status >= 100 && status <= 599),
    headers:
      isBag(headers) && Object.entries(headers).every(([n, v]) => n === n.toLowerCase() && typeof v === "string"),
    body: typeof body === "string" || (typeof body === "object" && body !== null),
    where: PLACES.includes(where),
    language: /^[a-z]{2}$/.test(language),
    kind: FAILURE_KINDS.includes(kind),
    scope: scope === undefined || SCOPES.includes(scope),
    retryable: typeof retryable === "boolean" && !(kind === "usage_limit" && retryable),
    hintMs: hintMs === null || (Number.isFinite(hintMs) && hintMs > 0),
    source: isText(source),
    why: why === undefined || isText(why),
    undecidable: undecidable === undefined || isText(undecidable),
  };
  return Object.keys(rules).filter((field) => rules[field] === false);
}

function isBag(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

interface Read {
  readonly item: Labelled;
  readonly words: string;
  readonly triples: ReadonlySet<string>;
}

/** Pairs of errors that are the same situation with other numbers. */
export function nearDuplicates(corpus: readonly Labelled[]): readonly (readonly [string, string])[] {
  const read: Read[] = [];
  const pairs: (readonly [string, string])[] = [];
  /** The places in `read` of those with these words, or with this triple. */
  const places = new Map<string, number[]>();
  for (const item of corpus) {
    const list = wordsOf(item.body);
    const own: Read = { item, words: list.join(" "), triples: triplesOf(list) };
    const near = [own.words, ...decidingTriples(own.triples)].flatMap((key) => places.get(key) ?? []);
    const same = [...new Set(near)].sort((a, b) => a - b).find((at) => isSameSituation(own, read[at] as Read));
    if (same !== undefined) pairs.push([(read[same] as Read).item.id, item.id]);
    for (const key of new Set([own.words, ...own.triples])) addPlace(places, key, read.length);
    read.push(own);
  }
  return pairs;
}

function addPlace(places: Map<string, number[]>, key: string, at: number): void {
  const list = places.get(key);
  if (list === undefined) places.set(key, [at]);
  else list.push(at);
}

/** Of so many triples at least one is in every text that is the same. */
function decidingTriples(triples: ReadonlySet<string>): readonly string[] {
  return [...triples].slice(0, Math.floor((1 - SAME_SHARE) * triples.size) + 2);
}

function isSameSituation({ item, words, triples }: Read, other: Read): boolean {
  if (item.status !== other.item.status && item.status !== null && other.item.status !== null) return false;
  if (words === other.words) return words.split(" ").length > 5 && !hasOtherHeaders(item, other.item);
  return isSame(triples, other.triples);
}

function hasOtherHeaders(a: Labelled, b: Labelled): boolean {
  const both = [a, b].map(({ headers }) => Object.keys(headers).length);
  return both.every((count) => count > 0) && JSON.stringify(a.headers) !== JSON.stringify(b.headers);
}

function wordsOf(body: unknown): string[] {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const plain = text.toLowerCase().replace(/\\[nt"]/g, " ");
  return (
    plain
      .replace(/[0-9a-f]{8,}/g, "x")
      .replace(/\d+/g, "0")
      .match(/[\w\u0080-\uffff]+/g) ?? []
  );
}

function triplesOf(words: readonly string[]): Set<string> {
  return new Set(words.slice(2).map((word, i) => `${words[i]} ${words[i + 1]} ${word}`));
}

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  if (Math.min(a.size, b.size) < LEAST_TRIPLES || Math.min(a.size, b.size) < SAME_SHARE * Math.max(a.size, b.size))
    return false;
  let shared = 0;
  for (const triple of a) if (b.has(triple)) shared++;
  return shared / (a.size + b.size - shared) >= SAME_SHARE;
}

export interface Spread {
  readonly errors: number;
  /** Providers, gateways, local servers, agents, clients and languages of clients. */
  readonly origins: number;
  readonly notEnglish: number;
  readonly inStreams: number;
  readonly withHeaders: number;
}

/** What the corpus must cover at least. */
export const LEAST: Spread = { errors: 1000, origins: 50, notEnglish: 60, inStreams: 60, withHeaders: 100 };

export function spreadOf(corpus: readonly Labelled[]): Spread {
  return {
    errors: corpus.length,
    origins: new Set(corpus.flatMap(({ provider, via }) => [provider, ...(via === undefined ? [] : via.split("/"))]))
      .size,
    notEnglish: corpus.filter(({ language }) => language !== "en").length,
    inStreams: corpus.filter(({ where }) => where === "stream").length,
    withHeaders: corpus.filter(({ headers }) => Object.keys(headers).length > 0).length,
  };
}
