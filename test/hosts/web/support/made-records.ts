import type { FailureKind } from "../../../../src/kernel/index.ts";
import type { ActivityAttempt, ActivityRecord } from "../../../../src/wire/http/activity.ts";

const MODELS = ["sim/sonnet", "sim/haiku", "openai/gpt-4o", "anthropic/claude-opus", "google/gemini-pro"] as const;

/** The failures of a made-up generation, by its number: most have none. */
const TROUBLE: readonly (readonly (readonly [FailureKind, number | undefined, number, number])[])[] = [
  [],
  [
    ["overloaded", 529, 600, 5000],
    ["overloaded", 529, 700, 2500],
  ],
  [],
  [
    ["network", undefined, 2000, 1200],
    ["silent", 200, 9000, 3000],
  ],
  [],
  [["rate_limit", 429, 300, 2400]],
  [],
  [["auth", 401, 400, 0]],
  [["server", 500, 900, 8000]],
  [["usage_limit", 429, 250, 20_000]],
];

/** A generation that has ended, made up from its number, as a server would have recorded it. */
export function madeRecord(number: number, startedAt: number): ActivityRecord {
  const asked = MODELS[number % MODELS.length] as string;
  const [provider = "", model = ""] = asked.split("/");
  const trouble = TROUBLE[number % TROUBLE.length] ?? [];
  const isRefused = trouble[0]?.[0] === "auth";
  let at = startedAt;
  const attempts = trouble.map(([kind, status, tookMs, waitedMs], index): ActivityAttempt => {
    const attempt = {
      attempt: index + 1,
      target: { provider, model, credential: "" },
      startedAt: at,
      endedAt: at + tookMs,
      ok: false,
      kind,
      ...(status !== undefined && { status }),
      ...(kind === "rate_limit" && { hintMs: 2000 }),
      ...(waitedMs > 0 && { waitedMs, waitEnded: "elapsed" as const }),
    };
    at += tookMs + waitedMs;
    return attempt;
  });
  if (!isRefused) {
    const tookMs = 3000 + ((number * 977) % 17_000);
    const last = { attempt: attempts.length + 1, target: { provider, model, credential: "" }, startedAt: at };
    attempts.push({ ...last, firstContentAt: at + 1300, endedAt: at + tookMs, ok: true });
    at += tookMs;
  } else at += 400;
  return {
    id: `g${number}-${startedAt}`,
    door: number % 3 === 0 ? "chat" : "gateway",
    policy: "patient",
    asked,
    ...(!isRefused && { answered: asked }),
    startedAt,
    endedAt: at,
    state: "ended",
    outcome: isRefused ? "not-retryable" : "succeeded",
    attempts,
    attemptCount: attempts.length,
    waitedMs: attempts.reduce((sum, { waitedMs = 0 }) => sum + waitedMs, 0),
    usage: { inputTokens: 20, outputTokens: 212 },
  };
}

/** The same generation as it waits after its first failure. */
export function madeWaiting(number: number, nowMs: number): ActivityRecord {
  const { endedAt: _, outcome: __, answered: ___, ...record } = madeRecord(10 * number + 1, nowMs - 7000);
  const [first] = record.attempts;
  const attempts = first === undefined ? [] : [{ ...first, waitedMs: undefined, endedAt: nowMs - 6400 }];
  return {
    ...record,
    id: `w${number}`,
    state: "waiting",
    attempts: JSON.parse(JSON.stringify(attempts)),
    attemptCount: 1,
    wait: {
      attempt: 1,
      retry: 1,
      maxRetries: 21,
      startedAt: nowMs - 6400,
      until: nowMs + 5000,
      kind: "overloaded",
      because: "overloaded",
    },
  };
}
