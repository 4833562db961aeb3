import fc from "fast-check";
import { expect, test } from "vitest";
import { generationFacts, sayGeneration } from "../../src/activity/index.ts";
import type { ActivityRecord } from "../../src/wire/http/activity.ts";
import { FOREIGN, hostileText } from "../support/hostile-text.ts";

const target = { provider: "openai", model: "gpt", credential: "one" };
const first: ActivityRecord = {
  id: "g1",
  door: "chat",
  policy: "patient",
  asked: "openai/gpt",
  answered: "openai/gpt",
  startedAt: 1000,
  endedAt: 4200,
  state: "ended",
  outcome: "succeeded",
  attempts: [{ attempt: 1, target, startedAt: 1000, endedAt: 4200, firstContentAt: 1500, ok: true }],
  attemptCount: 1,
  waitedMs: 0,
};
const failure = { attempt: 1, target, startedAt: 1000, endedAt: 1100, ok: false } as const;

test.each<[string, Partial<ActivityRecord>]>([
  ["chat openai/gpt: answered in 3.2 s", {}],
  [
    "chat openai/gpt: answered by openai/mini in 3.2 s, with 3 attempts and 2 s of waiting (rate limit 429, silent)",
    {
      answered: "openai/mini",
      attempts: [{ ...failure, kind: "rate_limit", status: 429 }, { ...failure, kind: "silent" }, ...first.attempts],
      attemptCount: 3,
      waitedMs: 2000,
    },
  ],
  [
    "chat openai/gpt: failed (not-retryable) after 3.2 s (auth 401)",
    { outcome: "not-retryable", attempts: [{ ...failure, kind: "auth", status: 401 }] },
  ],
  [
    "chat openai/gpt: broke off in the middle of the answer (already-streaming) after 3.2 s (stream broken)",
    { outcome: "already-streaming", truncated: true, attempts: [{ ...failure, kind: "stream_broken" }] },
  ],
  [
    "chat openai/gpt: given up by hand after 3.2 s, with 8 attempts (3 earlier, server 500, server 500, server 500, server 500, server 500)",
    {
      outcome: "gave-up",
      attempts: Array.from({ length: 8 }, () => ({ ...failure, kind: "server" as const, status: 500 })),
      attemptCount: 8,
    },
  ],
  ["chat openai/gpt: aborted after 3.2 s", { outcome: "aborted" }],
])("B4: %s", (line, change) => {
  expect(sayGeneration({ ...first, ...change })).toBe(line);
});

test("B4: the same for programs is one line of JSON", () => {
  const line = JSON.stringify(generationFacts({ ...first, client: "ci", usage: { inputTokens: 1, outputTokens: 2 } }));
  expect(JSON.parse(line)).toEqual({
    event: "generation",
    id: "g1",
    door: "chat",
    client: "ci",
    policy: "patient",
    asked: "openai/gpt",
    answered: "openai/gpt",
    outcome: "succeeded",
    startedAt: 1000,
    endedAt: 4200,
    attempts: 1,
    waitedMs: 0,
    failures: [],
    firstContentMs: 500,
    usage: { inputTokens: 1, outputTokens: 2 },
  });
});

test("B4: no name that a caller chooses begins a new line or moves the cursor", () => {
  fc.assert(
    fc.property(hostileText, (asked) => {
      expect(sayGeneration({ ...first, asked })).not.toMatch(FOREIGN);
      expect(sayGeneration({ ...first, asked })).not.toMatch(/[\t\n]/);
    }),
  );
});
