import type { Failure } from "../kernel/index.ts";
import type { ErrorInput } from "./error-input.ts";

/** Scripts that tell a language; what none of them tells is taken for English. */
const SCRIPTS: readonly (readonly [letters: RegExp, language: string])[] = [
  [/[\u3040-\u30ff]/, "ja"],
  [/[\uac00-\ud7af]/, "ko"],
  [/[\u4e00-\u9fff]/, "zh"],
  [/[\u0400-\u04ff]/, "ru"],
];

/** Whose answer it was says nothing about the error, and the corpus is public. */
const OF_CALLER = /cookie|authorization|organization|project/i;

/** A line for the error corpus, in the form of corpus/README.md. The label is the verdict: the reporter corrects it. */
export function corpusLine({ provider, status, headers, body }: ErrorInput, failure: Failure, today: Date): string {
  const name = (provider ?? "unknown")
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, "-")
    .slice(0, 40);
  const text = typeof body === "string" ? body : JSON.stringify(body ?? "");
  const { kind, scope, retryable, hintMs } = failure;
  return JSON.stringify({
    id: `${name}-${kind.replaceAll("_", "-")}-${today.getTime().toString(36)}`,
    added: today.toISOString().slice(0, 10),
    seen: false,
    provider: provider ?? "unknown",
    status: status ?? null,
    headers: lowerCaseTexts(headers ?? {}),
    body: parsed(body ?? ""),
    where: status === 200 ? "stream" : status === undefined ? "client" : "http",
    language: SCRIPTS.find(([letters]) => letters.test(text))?.[1] ?? "en",
    kind,
    scope,
    retryable,
    hintMs: hintMs === undefined ? null : Math.max(1, Math.round(hintMs)),
    source: "",
  });
}

/** A body that is wholly JSON is an object in the corpus; any other is a text. */
function parsed(body: unknown): unknown {
  if (typeof body !== "string") return typeof body === "object" ? body : String(body);
  if (!/^\s*\{/.test(body)) return body;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}

function lowerCaseTexts(headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).filter(
    ([name, value]) => String(value ?? "") !== "" && !OF_CALLER.test(name),
  );
  return Object.fromEntries(
    entries.map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? String(value[0]) : String(value)]),
  );
}
