import { expect, test } from "vitest";
import { classifyError } from "../../src/explain/classify-error.ts";
import { corpusLine } from "../../src/explain/corpus-line.ts";
import type { ErrorInput } from "../../src/explain/error-input.ts";
import { checkLine } from "../corpus/check-corpus.ts";
import type { Labelled } from "../corpus/read-corpus.ts";

const TODAY = new Date("2026-11-18T05:00:00Z");
const lineOf = (input: ErrorInput) => JSON.parse(corpusLine(input, classifyError(input, 0), TODAY)) as Labelled;

test("B1: a report is a line of the corpus that only lacks its source", () => {
  const line = lineOf({ provider: "Groq Cloud", status: 429, headers: { "Retry-After": ["2"] }, body: "Rate limit" });
  expect(line).toMatchObject({
    added: "2026-11-18",
    seen: false,
    provider: "Groq Cloud",
    status: 429,
    headers: { "retry-after": "2" },
    where: "http",
    language: "en",
    kind: "rate_limit",
    scope: "credential",
    retryable: true,
    hintMs: 2000,
  });
  expect(line.id).toMatch(/^groq-cloud-rate-limit-\w+$/);
  expect(checkLine(line)).toEqual(["source"]);
});

test.each([
  ["请求过于频繁", "zh"],
  ["リクエストが多すぎます", "ja"],
  ["요청이 너무 많습니다", "ko"],
  ["Слишком много запросов", "ru"],
  ["Zu viele Anfragen", "en"],
])("B1: a report guesses the language by its script: %s", (body, language) => {
  expect(lineOf({ body })).toMatchObject({ language, status: null, where: "client", headers: {} });
});

test("B1: an error in an answer with status 200 came in a stream", () => {
  expect(lineOf({ status: 200, body: { error: { type: "overloaded_error" } } }).where).toBe("stream");
});

test("B1: a body that is wholly JSON is an object in a report, any other text stays as it is", () => {
  expect(lineOf({ body: '{"error":{"type":"overloaded_error"}}' }).body).toEqual({
    error: { type: "overloaded_error" },
  });
  expect(lineOf({ body: '{"error":' }).body).toBe('{"error":');
});
