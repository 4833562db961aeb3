import { isKnownCode, normaliseCode } from "../../src/kernel/classify/code-table.ts";
import type { Labelled } from "./read-corpus.ts";

const IDENTIFIER = /[A-Za-z][A-Za-z0-9_.]{3,63}/g;
const IS_CODE = /_|[a-z][A-Z]|^[A-Z]{5,}$/;

/**
 * The corpus as if there were no rules for the provider of each error: its name is not given, and a code of the table that
 * only this provider uses in the corpus is replaced. What is left is what the general rules can do.
 */
export function hideOwnCodes(corpus: readonly Labelled[]): Labelled[] {
  const providersOf = new Map<string, Set<string>>();
  for (const item of corpus) {
    for (const code of codesIn(item.body)) {
      const providers = providersOf.get(code) ?? new Set();
      providersOf.set(code, providers.add(item.provider));
    }
  }
  return corpus.map((item) => {
    const hide = (text: string) => text.replace(IDENTIFIER, (word) => (isOwn(word, providersOf) ? "some_code" : word));
    return { ...item, provider: "", body: mapTexts(item.body, hide) };
  });
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapTexts(part, map)]));
}

function isOwn(word: string, providersOf: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  return isCode(word) && providersOf.get(normaliseCode(word))?.size === 1;
}

function codesIn(body: unknown): Set<string> {
  const words = JSON.stringify(body).match(IDENTIFIER) ?? [];
  return new Set(words.filter(isCode).map(normaliseCode));
}

function isCode(word: string): boolean {
  return IS_CODE.test(word) && isKnownCode(word);
}
