import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cardText, cardWords } from "../../../../src/hosts/web/pages/why/card-words.ts";
import { EXAMPLES } from "../../../../src/hosts/web/pages/why/examples.ts";
import { type Explained, explainAttempt, explainError } from "../../../../src/hosts/web/pages/why/explain-error.ts";
import { recentErrors } from "../../../../src/hosts/web/pages/why/recent-errors.ts";
import { recogniseProvider } from "../../../../src/hosts/web/pages/why/recognise-provider.ts";
import { WHY_TEXTS } from "../../../../src/hosts/web/texts/why.ts";
import { definePolicy, FAILURE_KINDS } from "../../../../src/kernel/index.ts";
import { PRESETS } from "../../../../src/presets/index.ts";
import type { ActivityAttempt, ActivityRecord } from "../../../../src/wire/http/activity.ts";

function explain(text: string, provider?: string): Explained {
  const explained = explainError({ text, provider, nowMs: 0, own: undefined });
  if ("refused" in explained) throw new Error(explained.refused);
  return explained;
}

const text = (id: string): string => EXAMPLES.find((example) => example.id === id)?.text ?? "";

describe("the card of an error", () => {
  test("B1: says for a rate limit how long, where that is written, and what each preset would do", () => {
    const words = cardWords(explain(text("rate"), "openai"), "en");
    expect(words).toMatchObject({
      title: "Rate limit",
      from: "HTTP 429 · openai",
      helps: { answer: "yes", text: "Waiting helps", detail: "about 20 s" },
      howLong: "20 s, as the provider asks",
      howLongSource: "(retry-after; the text says 5.7 s, the longer one counts)",
      evidence: "code:rate_limit_exceeded",
    });
    expect(words.decisions.map(({ name }) => name)).toEqual(Object.keys(PRESETS));
    expect(words.decisions.find(({ name }) => name === "patient")?.words).toBe(
      "Waits 20 s, then retries (at most 21 times)",
    );
  });

  test.each([
    ["overloaded", "overloaded", "yes"],
    ["rate", "rate_limit", "yes"],
    ["quota", "usage_limit", "no"],
    ["context", "context_overflow", "no"],
    ["hangUp", "network", "yes"],
    ["html", "server", "yes"],
    ["key", "auth", "no"],
  ])("B1: the example %s is %s", (id, kind, answer) => {
    const explained = explain(text(id));
    expect(explained.failure.kind).toBe(kind);
    expect(cardWords(explained, "en").helps.answer).toBe(answer);
  });

  test("B1: a key in the error is masked in the card and in both copies", () => {
    const secret = "sk-proj-Abcdef0123456789Abcdef0123456789";
    const explained = explain(`HTTP/1.1 401 Unauthorized\n\nIncorrect API key provided: ${secret}`);
    const words = cardWords(explained, "en");
    expect(words.message).toContain("[masked]");
    expect(`${JSON.stringify(words)}${cardText(words, "en")}${explained.json}`).not.toContain(secret);
  });

  test("B1: an own policy that is in use has its verdict as well", () => {
    const own = definePolicy({ name: "mine", rules: { rate_limit: "stop" } });
    const explained = explainError({ text: text("rate"), provider: undefined, nowMs: 0, own }) as Explained;
    expect(cardWords(explained, "en").decisions.at(-1)).toEqual({
      name: "mine",
      words: "Stops: this policy does not retry it",
    });
  });

  test("B1: an envelope with an invalid field is refused with the field's name", () => {
    expect(
      explainError({ text: '{"status": 4290, "body": ""}', provider: undefined, nowMs: 0, own: undefined }),
    ).toEqual({
      refused: "status must be a whole number from 100 to 599; got 4290",
    });
  });

  test("B1: no text makes the card throw, in either language", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.json(), fc.constantFrom(...EXAMPLES.map((example) => example.text))),
        (input) => {
          const explained = explainError({ text: input, provider: undefined, nowMs: 0, own: undefined });
          if ("refused" in explained) return;
          for (const language of ["en", "zh"] as const) cardText(cardWords(explained, language), language);
        },
      ),
    );
  });

  test("B1: every kind has its words in Chinese", () => {
    expect(Object.keys(WHY_TEXTS.zh.explained ?? {}).sort()).toEqual([...FAILURE_KINDS].sort());
  });
});

describe("recorded errors", () => {
  const attempt = (changes: Partial<ActivityAttempt>): ActivityAttempt => ({
    attempt: 1,
    target: { provider: "anthropic", model: "sonnet", credential: "" },
    startedAt: 0,
    endedAt: 1000,
    ok: false,
    kind: "overloaded",
    status: 529,
    ...changes,
  });
  const record = (...attempts: readonly ActivityAttempt[]): ActivityRecord => ({
    ...{ id: "g", door: "chat", policy: "patient", asked: "a/b", startedAt: 0, state: "ended", waitedMs: 0 },
    attempts,
    attemptCount: attempts.length,
  });

  test("B1: a recorded attempt is explained without the provider's words", () => {
    const words = cardWords(
      explainAttempt(attempt({ kind: "rate_limit", status: 429, hintMs: 20_000, evidence: "status:429" }), undefined),
      "en",
    );
    expect(words).toMatchObject({
      title: "Rate limit",
      message: "",
      howLong: "20 s, as the provider asks",
      evidence: "status:429",
    });
  });

  test("B1: the list has the newest failures first, each once, and no aborts", () => {
    const recent = recentErrors([
      record(attempt({ endedAt: 1 }), attempt({ endedAt: 2 }), attempt({ ok: true, endedAt: 9 })),
      record(attempt({ endedAt: 5, kind: "auth", status: 401 }), attempt({ endedAt: 7, kind: "aborted" })),
    ]);
    expect(recent.map(({ endedAt, kind }) => [endedAt, kind])).toEqual([
      [5, "auth"],
      [2, "overloaded"],
    ]);
  });
});

test.each([
  ["Rate limit reached for gpt-4o", "openai"],
  ['{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', "anthropic"],
  ['{"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}', "google"],
  ["HTTP/1.1 429\nx-groq-region: us", "groq"],
  ["socket hang up", undefined],
  ["", undefined],
])("B2: recognises the provider of %j as %s", (input, provider) => {
  expect(recogniseProvider(input)).toBe(provider);
});
