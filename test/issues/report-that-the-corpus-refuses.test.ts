import { expect, test } from "vitest";
import { classifyError } from "../../src/explain/classify-error.ts";
import { corpusLine } from "../../src/explain/corpus-line.ts";
import type { ErrorInput } from "../../src/explain/error-input.ts";
import { checkLine } from "../corpus/check-corpus.ts";
import type { Labelled } from "../corpus/read-corpus.ts";

// `why --report` printed lines that `npm run corpus:check` refused although nothing but their source was missing.

const INPUTS: Readonly<Record<string, ErrorInput>> = {
  "a plain text": { body: "Rate limit reached" },
  "a provider with a long name": { provider: "x".repeat(200), body: "boom" },
  "a provider in Chinese": { provider: "智谱", body: '{"error":{"code":"1302"}}' },
  "a status alone": { status: 503 },
  "a body that is a number": { status: 500, body: 5 },
  "a list of headers that is empty": { status: 500, headers: { "X-Trace": [] }, body: "x" },
  "a wait below a millisecond": { status: 429, headers: { "retry-after-ms": "0.2" }, body: "slow" },
};

test.each(Object.entries(INPUTS))("B1: %s makes a line that lacks nothing but its source", (_, input) => {
  const line = JSON.parse(corpusLine(input, classifyError(input, 0), new Date("2026-11-18"))) as Labelled;
  expect(checkLine({ ...line, file: "x" })).toEqual(["source"]);
  expect(Object.values(line.headers)).not.toContain("undefined");
});

// The line is meant for a public tracker, and every answer of OpenAI has a cookie and the organisation.
test("B1: a line for the corpus has no headers that name the caller or carry a session", () => {
  const caller = { "Set-Cookie": "__cf_bm=abc", "openai-organization": "acme", "openai-project": "proj_1" };
  const headers = { ...caller, "anthropic-organization-id": "1", authorization: "Bearer x", "Retry-After": "7" };
  const input = { status: 429, headers, body: "Slow down" };
  const line = JSON.parse(corpusLine(input, classifyError(input, 0), new Date("2026-11-18"))) as Labelled;
  expect(line.headers).toEqual({ "retry-after": "7" });
});

test("E1: the check names every field of a line that is empty", () => {
  const fields = checkLine({ file: "x" } as Labelled);
  expect(fields).toEqual(expect.arrayContaining(["id", "headers", "body", "kind"]));
});
