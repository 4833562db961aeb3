import { describe, expect, test } from "vitest";
import { decide } from "../../../src/kernel/decide/decide.ts";
import type { PolicyInput, RuleInput } from "../../../src/kernel/decide/define-policy.ts";
import type { Decision } from "../../../src/kernel/model/decision.ts";
import { FAILURE_KINDS } from "../../../src/kernel/model/failure.ts";
import { CHAIN, failure, type Given, healthOf, situation } from "./situations.ts";

function decided(given: Given): Decision {
  return decide(situation(given));
}

const server = failure("server", { status: 503, scope: "provider" });

describe("whether the policy is asked at all", () => {
  test("E13: an abort ends the generation under every policy", () => {
    const aborted = failure("aborted", { retryable: false });
    expect(decided({ failure: aborted, policy: { enabled: false } })).toEqual({
      type: "stop",
      reason: "aborted",
      because: "the generation was aborted",
    });
    expect(decided({ failure: failure("aborted", { status: 503 }), policy: { statuses: { 503: "retry" } } })).toEqual({
      type: "stop",
      reason: "aborted",
      because: "the generation was aborted",
    });
  });

  test("T1: a disabled policy stops before the filter is consulted", () => {
    expect(
      decided({ policy: { enabled: false, filter: { mode: "whitelist", ids: [] } }, standing: { filterId: "x" } }),
    ).toEqual({ type: "stop", reason: "disabled", because: "the policy is switched off" });
  });

  test.each<["whitelist" | "blacklist", readonly string[], string, boolean]>([
    ["blacklist", ["x"], "x", false],
    ["blacklist", ["x"], "y", true],
    ["blacklist", ["x"], "", true],
    ["blacklist", [""], "", false],
    ["blacklist", [], "x", true],
    ["whitelist", ["x"], "x", true],
    ["whitelist", ["x"], "y", false],
    ["whitelist", ["x"], "", false],
    ["whitelist", [""], "", true],
    ["whitelist", [], "x", false],
  ])("T8: %s %j and the id %j: carried is %j", (mode, ids, filterId, isCarried) => {
    const decision = decided({ policy: { filter: { mode, ids } }, standing: { filterId } });
    if (isCarried) expect(decision.type).toBe("wait");
    else
      expect(decision).toEqual({
        type: "stop",
        reason: "filtered",
        because: `the ${mode} leaves this generation id out`,
      });
  });
});

describe("which rule applies", () => {
  test("E5: context overflow is handed over, even behind a status that is retried and after content", () => {
    const handOver = {
      type: "hand-over",
      because: "the context is too long: compaction can help, a retry can't",
    };
    const overflow = failure("context_overflow", { status: 503, retryable: false });
    expect(decided({ failure: overflow, policy: { statuses: { 503: "retry" } } })).toEqual(handOver);
    expect(decided({ failure: overflow, standing: { canReplay: false } })).toEqual(handOver);
  });

  test("E5: a host without compaction stops at context overflow", () => {
    const policy: PolicyInput = { name: "plain", rules: { context_overflow: "stop" } };
    expect(decided({ policy, failure: failure("context_overflow", { status: 400, retryable: false }) })).toEqual({
      type: "stop",
      reason: "not-retryable",
      because: "plain does not retry context_overflow (400)",
    });
  });

  test("E14: nothing is retried once content was given out that can't be taken back", () => {
    const alreadyStreaming = {
      type: "stop",
      reason: "already-streaming",
      because: "content was already given out and can't be taken back",
    };
    for (const kind of ["server", "usage_limit", "bad_request"] as const) {
      expect(decided({ failure: failure(kind), chain: CHAIN, standing: { canReplay: false } })).toEqual(
        alreadyStreaming,
      );
    }
  });

  test("E4: a kind that the policy does not retry stops, with and without a status", () => {
    expect(decided({ failure: failure("bad_request", { status: 422, retryable: false }), chain: CHAIN })).toEqual({
      type: "stop",
      reason: "not-retryable",
      because: "base does not retry bad_request (422)",
    });
    expect(decided({ failure: failure("content_filter"), policy: { name: "mine" } })).toEqual({
      type: "stop",
      reason: "not-retryable",
      because: "mine does not retry content_filter",
    });
  });

  test("C2: a rule for the status goes before the rule for the kind", () => {
    const policy: PolicyInput = {
      name: "console",
      statuses: { 500: "stop", 400: { action: "retry", when: "always" } },
    };
    expect(decided({ policy, failure: failure("server", { status: 500 }) })).toEqual({
      type: "stop",
      reason: "not-retryable",
      because: "console does not retry server (500)",
    });
    expect(decided({ policy, failure: failure("bad_request", { status: 400, retryable: false }) })).toEqual({
      type: "wait",
      delayMs: 1000,
      to: 0,
      schedule: 0,
      because: "bad_request usually passes",
    });
    expect(decided({ policy, failure: failure("server", { status: 502 }) }).type).toBe("wait");
    expect(decided({ policy, failure: failure("server") }).type).toBe("wait");
  });

  test("E5: a status may be handed over as well", () => {
    expect(
      decided({ policy: { statuses: { 413: "hand-over" } }, failure: failure("bad_request", { status: 413 }) }),
    ).toEqual({ type: "hand-over", because: "the context is too long: compaction can help, a retry can't" });
  });

  test.each(FAILURE_KINDS)("E2: the base policy has a word about %s", (kind) => {
    const waits = ["rate_limit", "overloaded", "server", "network", "timeout", "stalled", "silent"];
    waits.push("invalid_content", "stream_broken", "unknown");
    const decision = decided({ failure: failure(kind) });
    expect(decision.type).toBe(kind === "context_overflow" ? "hand-over" : waits.includes(kind) ? "wait" : "stop");
  });

  test("T3: each rule counts on its own schedule", () => {
    const policy: PolicyInput = {
      schedules: { limits: { type: "fixed", delayMs: 30_000, atMost: 2 } },
      rules: { rate_limit: { action: "retry", schedule: "limits" } },
    };
    const usedUp = { used: [3, 1], drawnMs: [7000, 30_000] };
    expect(decided({ policy, failure: failure("rate_limit"), standing: usedUp })).toEqual({
      type: "wait",
      delayMs: 30_000,
      to: 0,
      schedule: 1,
      because: "rate_limit usually passes",
    });
    expect(decided({ policy, failure: server, standing: usedUp })).toEqual({
      type: "stop",
      reason: "retries-exhausted",
      because: "every retry is used up",
    });
  });
});

describe("E17: failures that only another target can cure", () => {
  const limited = failure("usage_limit", { scope: "credential", status: 429, retryable: false });
  const only = "only another credential or model can cure usage_limit";
  const hinted = { ...limited, hintMs: 1000 };
  const waiting: PolicyInput = { rules: { usage_limit: { action: "elsewhere", otherwise: "wait" } } };
  const retrying: PolicyInput = { rules: { usage_limit: { action: "elsewhere", otherwise: "retry" } } };

  test("E17: rotates to another credential before it switches the model", () => {
    expect(decided({ failure: limited, chain: CHAIN })).toEqual({ type: "rotate", to: 1, schedule: 0, because: only });
  });

  test("E17: goes back to an earlier credential of the model before it switches", () => {
    expect(decided({ failure: limited, chain: CHAIN, standing: { position: 1 } })).toEqual({
      type: "rotate",
      to: 0,
      schedule: 0,
      because: only,
    });
  });

  test("E17: switches to the next model when the other credential cools down", () => {
    expect(decided({ failure: limited, chain: CHAIN, blockedMs: { 1: 1 } })).toEqual({
      type: "switch",
      to: 2,
      schedule: 0,
      because: only,
    });
  });

  test("E17: passes over a model that cools down", () => {
    expect(decided({ failure: limited, chain: CHAIN, blockedMs: { 1: 5, 2: 5 } })).toMatchObject({
      type: "switch",
      to: 3,
    });
  });

  test("E17: another credential does not cure what the model lacks", () => {
    const missing = failure("not_found", { scope: "model", status: 404, retryable: false });
    expect(decided({ failure: missing, chain: CHAIN })).toEqual({
      type: "switch",
      to: 2,
      schedule: 0,
      because: "only another model can cure not_found",
    });
  });

  test("E17: stops when there is nothing to go to and waiting does not cure it", () => {
    const refused = failure("auth", { scope: "credential", status: 401, retryable: false });
    expect(decided({ failure: refused })).toEqual({
      type: "stop",
      reason: "not-retryable",
      because: "nothing else to go to, and waiting does not cure auth",
    });
    expect(decided({ failure: refused, chain: CHAIN, standing: { spent: [1, 2, 3] } })).toMatchObject({
      type: "stop",
      reason: "not-retryable",
    });
  });

  test("E17: waits for another target that is free within the cap, though waiting here does not help", () => {
    const refused = failure("auth", { scope: "credential", status: 401, retryable: false });
    const facts = { failure: refused, chain: CHAIN, blockedMs: { 1: 90, 2: 60, 3: 70 } };
    expect(decided(facts)).toEqual({
      type: "wait",
      delayMs: 60,
      to: 2,
      schedule: 0,
      because: "another target is free then",
    });
    expect(decided({ ...facts, policy: { maxDelayMs: 60 } }).type).toBe("wait");
    expect(decided({ ...facts, policy: { maxDelayMs: 59 } })).toMatchObject({ type: "stop", reason: "not-retryable" });
    expect(decided({ ...facts, standing: { used: [3] } })).toMatchObject({ type: "stop", reason: "not-retryable" });
  });

  test.each<[string, PolicyInput]>([
    ["wait", waiting],
    ["stop", {}],
  ])("E17: a quota without a known end stops at once where the rule says %s: nothing else is free", (_, policy) => {
    const ended = {
      type: "stop",
      reason: "not-retryable",
      because: "nothing else to go to, and waiting does not cure usage_limit",
    };
    expect(decided({ failure: limited, policy })).toEqual(ended);
    const refusalOf = () => "usage_limit" as const;
    const health = { ...healthOf(CHAIN, { 1: 100, 2: 100, 3: 100 }), refusalOf };
    expect(decided({ failure: limited, policy, chain: CHAIN, health })).toEqual(ended);
  });

  test("E17: a quota without a known end waits for another target whose end is known", () => {
    const facts = { failure: limited, chain: CHAIN, blockedMs: { 1: 900, 2: 300, 3: 300 } };
    const waited = { type: "wait", delayMs: 300, to: 2, schedule: 0, because: "another target is free then" };
    expect(decided({ ...facts, policy: waiting })).toEqual(waited);
    expect(decided({ ...facts, policy: {} })).toEqual(waited);
  });

  test("K8: a policy that retries a quota without a known end does so on its schedule", () => {
    expect(decided({ failure: limited, policy: retrying, standing: { used: [1], drawnMs: [1000] } })).toEqual({
      type: "wait",
      delayMs: 2000,
      to: 0,
      schedule: 0,
      because: "waiting as scheduled",
    });
  });

  test.each([
    [5000, true, 5000, "waiting as asked"],
    [1001, true, 1001, "waiting as asked"],
    [1000, true, 1000, "waiting as scheduled"],
    [400, true, 1000, "waiting as scheduled"],
    [5000, false, 1000, "waiting as scheduled"],
  ])("S5: a hint of %i ms, honoured: %j, is a wait of %i ms, %s", (hintMs, honourHints, delayMs, because) => {
    expect(decided({ failure: { ...limited, hintMs }, policy: { ...waiting, honourHints } })).toEqual({
      type: "wait",
      delayMs,
      to: 0,
      schedule: 0,
      because,
    });
  });

  test("E17: when everything cools down it waits for what is free first", () => {
    const hinted = { ...limited, hintMs: 60_000 };
    expect(decided({ failure: hinted, policy: waiting, chain: CHAIN, blockedMs: { 1: 900, 2: 300, 3: 300 } })).toEqual({
      type: "wait",
      delayMs: 300,
      to: 2,
      schedule: 0,
      because: "everything cools down; this one is free first",
    });
  });

  test("E17: it stays when nothing else is free before itself", () => {
    expect(
      decided({ failure: hinted, policy: waiting, chain: CHAIN, blockedMs: { 1: 1000, 2: 1000, 3: 1001 } }),
    ).toEqual({ type: "wait", delayMs: 1000, to: 0, schedule: 0, because: "waiting as scheduled" });
    expect(
      decided({ failure: hinted, policy: waiting, chain: CHAIN, blockedMs: { 1: 999, 2: 1000, 3: 1000 } }),
    ).toMatchObject({ type: "wait", delayMs: 999, to: 1 });
  });

  test.each([
    [60_000, 60_000, "wait"],
    [60_001, 60_000, "stop"],
  ])("E18: a wait of %i ms under a cap of %i ms is a %s", (hintMs, maxDelayMs, type) => {
    const decision = decided({ failure: { ...limited, hintMs }, policy: { ...waiting, maxDelayMs } });
    expect(decision.type).toBe(type);
    if (type === "stop")
      expect(decision).toEqual({
        type: "stop",
        reason: "delay-cap",
        because: "the wait of 60001 ms is over the cap of 60000 ms and nothing can be switched to",
      });
  });

  test.each([
    [300, 200, "wait"],
    [301, 1000, "stop"],
    [301, null, "stop"],
  ])("E18: a rule's own cap of 300 ms replaces the policy's: a wait of %i ms under %s is a %s", (hintMs, cap, type) => {
    const failure = { ...limited, kind: "rate_limit", retryable: true, hintMs } as const;
    const schedules = { general: { type: "fixed", delayMs: 1 } } as const;
    const rules = { rate_limit: { action: "retry", maxDelayMs: 300 } } as const;
    expect(decided({ failure, policy: { schedules, rules, maxDelayMs: cap } }).type).toBe(type);
    // Other kinds keep the policy's cap.
    const other = decided({ failure: { ...failure, kind: "server" }, policy: { schedules, rules, maxDelayMs: cap } });
    expect(other.type).toBe(cap !== null && hintMs > cap ? "stop" : "wait");
  });

  test("E18: the cap looks at the earliest of all, not at the own wait", () => {
    const policy = { ...waiting, maxDelayMs: 500 };
    const facts = { failure: { ...limited, hintMs: 9000 }, policy, chain: CHAIN };
    expect(decided({ ...facts, blockedMs: { 1: 500, 2: 900, 3: 900 } })).toMatchObject({ delayMs: 500, to: 1 });
    expect(decided({ ...facts, blockedMs: { 1: 501, 2: 900, 3: 900 } })).toEqual({
      type: "stop",
      reason: "delay-cap",
      because: "the wait of 501 ms is over the cap of 500 ms and nothing can be switched to",
    });
  });

  test("S5: does not wait once every retry is used up, but still moves where moves are free", () => {
    const used = { used: [3], drawnMs: [7000] };
    const exhausted = { type: "stop", reason: "retries-exhausted", because: "every retry is used up" };
    expect(decided({ failure: hinted, policy: waiting, standing: used })).toEqual(exhausted);
    expect(decided({ failure: limited, policy: retrying, standing: used })).toEqual(exhausted);
    expect(decided({ failure: hinted, policy: waiting, standing: used, chain: CHAIN })).toMatchObject({ to: 1 });
    expect(decided({ failure: hinted, standing: used })).toMatchObject({ reason: "not-retryable" });
  });

  test.each<["immediate" | "long-wait" | "after-retries", boolean, string]>([
    ["immediate", true, "stop"],
    ["long-wait", true, "stop"],
    ["after-retries", true, "rotate"],
    ["immediate", false, "rotate"],
  ])("S1: fallback %s, moves count %j: without a retry left it is a %s", (when, movesCount, type) => {
    const policy: PolicyInput = { fallback: { when, movesCount } };
    const decision = decided({ failure: limited, policy, chain: CHAIN, standing: { used: [3], drawnMs: [7000] } });
    expect(decision.type).toBe(type);
    if (type === "stop")
      expect(decision).toEqual({ type: "stop", reason: "retries-exhausted", because: "every retry is used up" });
    const last = decided({ failure: limited, policy, chain: CHAIN, standing: { used: [2], drawnMs: [3000] } });
    expect(last).toMatchObject({ type: "rotate", to: 1 });
  });

  test("E17: counts on the schedule that its rule names", () => {
    const policy: PolicyInput = {
      schedules: { slow: { type: "fixed", delayMs: 7, atMost: 9 } },
      rules: { usage_limit: { action: "elsewhere", schedule: "slow", otherwise: "wait" } },
    };
    expect(decided({ failure: limited, policy, chain: CHAIN })).toMatchObject({ type: "rotate", schedule: 1 });
    const known = { ...limited, hintMs: 5 };
    expect(decided({ failure: known, policy, standing: { used: [3] } })).toMatchObject({ delayMs: 7, schedule: 1 });
  });
});

describe("failures that pass", () => {
  test.each([
    [0, 1000],
    [1, 2000],
    [2, 4000],
  ])("E8: after %i retries it waits %i ms", (used, delayMs) => {
    expect(decided({ failure: server, standing: { used: [used] } })).toEqual({
      type: "wait",
      delayMs,
      to: 0,
      schedule: 0,
      because: "server usually passes",
    });
  });

  test("T2: stops when the retries are used up", () => {
    expect(decided({ failure: server, standing: { used: [3] } })).toEqual({
      type: "stop",
      reason: "retries-exhausted",
      because: "every retry is used up",
    });
  });

  test.each([
    [1000, "server usually passes", 1000],
    [1001, "the endpoint asked for this wait", 1001],
    [999, "server usually passes", 1000],
  ])("E6: a hint of %i ms: %s", (hintMs, because, delayMs) => {
    expect(decided({ failure: { ...server, hintMs } })).toEqual({ type: "wait", delayMs, to: 0, schedule: 0, because });
  });

  test("E6: a hint is not heard where the policy does not honour hints", () => {
    expect(decided({ failure: { ...server, hintMs: 9000 }, policy: { honourHints: false } })).toEqual({
      type: "wait",
      delayMs: 1000,
      to: 0,
      schedule: 0,
      because: "server usually passes",
    });
  });

  test("T5: without a delay it counts and goes at once, unless the endpoint asks for a wait", () => {
    const policy: PolicyInput = { rules: { silent: { action: "retry", delay: "none" } } };
    const silent = failure("silent");
    expect(decided({ policy, failure: silent })).toEqual({
      type: "wait",
      delayMs: 0,
      to: 0,
      schedule: 0,
      because: "silent usually passes",
    });
    expect(decided({ policy, failure: { ...silent, hintMs: 50 } })).toMatchObject({
      delayMs: 50,
      because: "the endpoint asked for this wait",
    });
    expect(decided({ policy, failure: silent, standing: { used: [3] } })).toMatchObject({
      type: "stop",
      reason: "retries-exhausted",
    });
  });

  test("B2: what never fits is hopeless, though its kind usually passes", () => {
    const tooLarge = failure("rate_limit", { retryable: false, evidence: "limits:never-fits", scope: "model" });
    expect(decided({ failure: tooLarge })).toEqual({
      type: "stop",
      reason: "hopeless",
      because: "this rate_limit does not pass by waiting (limits:never-fits)",
    });
    expect(decided({ failure: tooLarge, chain: CHAIN })).toEqual({
      type: "switch",
      to: 2,
      schedule: 0,
      because: "nothing more to hope for here; another target is free",
    });
  });

  test("B2: a rule with retry always overrules the classifier", () => {
    const rule: RuleInput = { action: "retry", when: "always" };
    const tooLarge = failure("rate_limit", { retryable: false });
    expect(decided({ failure: tooLarge, policy: { rules: { rate_limit: rule } } })).toMatchObject({ delayMs: 1000 });
  });

  test("E4: the unknown is not retried elsewhere either", () => {
    expect(decided({ failure: failure("unknown", { retryable: false }), chain: CHAIN })).toEqual({
      type: "stop",
      reason: "not-retryable",
      because: "nothing shows that trying again could help",
    });
    expect(decided({ failure: failure("unknown") }).type).toBe("wait");
  });

  test("B2: a guess is retried as often as the policy lets it, and then only elsewhere", () => {
    const guess = failure("server", { confidence: "guess" });
    const policy: PolicyInput = { guessRetries: 2 };
    expect(decided({ failure: guess, policy, standing: { guesses: 2 } }).type).toBe("wait");
    expect(decided({ failure: guess, policy, standing: { guesses: 3 } })).toEqual({
      type: "stop",
      reason: "retries-exhausted",
      because: "that server passes is a guess: no more than 2 retries",
    });
    expect(decided({ failure: guess, policy, standing: { guesses: 3 }, chain: CHAIN }).type).not.toBe("stop");
    expect(decided({ failure: failure("server"), policy, standing: { guesses: 3 } }).type).toBe("wait");
    expect(decided({ failure: guess, standing: { guesses: 99 } }).type).toBe("wait");
  });

  test.each([
    [1, "wait"],
    [2, "stop"],
    [3, "stop"],
  ])("B2: the same server error %i times in a row is a %s", (sameErrorRun, type) => {
    const decision = decided({ failure: server, policy: { sameServerError: 2 }, standing: { sameErrorRun } });
    expect(decision.type).toBe(type);
    if (type === "stop")
      expect(decision).toEqual({
        type: "stop",
        reason: "hopeless",
        because: `the same server error ${sameErrorRun} times in a row`,
      });
  });

  test("B2: a repeated server error switches to another target, unless the policy ignores repetition", () => {
    const standing = { sameErrorRun: 2 };
    expect(decided({ failure: server, policy: { sameServerError: 2 }, standing, chain: CHAIN })).toEqual({
      type: "switch",
      to: 2,
      schedule: 0,
      because: "nothing more to hope for here; another target is free",
    });
    expect(decided({ failure: server, standing: { sameErrorRun: 99 } }).type).toBe("wait");
  });

  test("E11: draws its jitter from the injected source", () => {
    const policy: PolicyInput = { schedules: { general: { type: "fixed", delayMs: 1000, jitter: "full" } } };
    expect(decided({ failure: server, policy, random: () => 0.25 })).toMatchObject({ delayMs: 250 });
  });

  test("E11: decorrelated jitter starts from the first delay and grows from what was really waited", () => {
    const policy: PolicyInput = {
      schedules: { general: { type: "exponential", baseMs: 1000, capMs: 60_000, jitter: "decorrelated" } },
    };
    const at = (previousMs: number) =>
      decided({ failure: server, policy, standing: { previousMs }, random: () => 0.5 });
    expect(at(0)).toMatchObject({ delayMs: 2000 });
    expect(at(3000)).toMatchObject({ delayMs: 5000 });
  });

  test("E10: the budget of a schedule counts what it has drawn so far", () => {
    const policy: PolicyInput = { schedules: { general: { type: "fixed", delayMs: 1000, budgetMs: 3000 } } };
    expect(decided({ failure: server, policy, standing: { used: [1], drawnMs: [2000] } }).type).toBe("wait");
    expect(decided({ failure: server, policy, standing: { used: [1], drawnMs: [2001] } })).toMatchObject({
      reason: "retries-exhausted",
    });
  });

  test("E10: a schedule that was never used has drawn nothing", () => {
    const policy: PolicyInput = { schedules: { general: { type: "fixed", delayMs: 1000, budgetMs: 1000, atMost: 1 } } };
    expect(decided({ failure: server, policy, standing: { used: [], drawnMs: [] } })).toMatchObject({ delayMs: 1000 });
  });
});

describe("when the next target is tried for a failure that passes", () => {
  const moved = "nothing more to hope for here; another target is free";
  const immediate: PolicyInput = { fallback: { when: "immediate" } };
  const longWait: PolicyInput = { fallback: { when: "long-wait", longWaitMs: 1500 } };

  test("T7: after-retries moves only when the retries are used up", () => {
    expect(decided({ failure: server, chain: CHAIN }).type).toBe("wait");
    expect(decided({ failure: server, chain: CHAIN, standing: { used: [3] } })).toEqual({
      type: "switch",
      to: 2,
      schedule: 0,
      because: moved,
    });
  });

  test.each([
    [2, 1, "wait"],
    [2, 2, "switch"],
    [2, 3, "switch"],
    [0, 2, "wait"],
    [1, 2, "wait"],
  ])("T7: two tries for each fallback: at position %i after %i tries it is a %s", (position, triesHere, type) => {
    const policy: PolicyInput = { fallback: { triesPerFallback: 2 } };
    expect(decided({ failure: server, policy, chain: CHAIN, standing: { position, triesHere } }).type).toBe(type);
  });

  test("T7: without a number of tries a fallback has as many as the schedule gives", () => {
    expect(decided({ failure: server, chain: CHAIN, standing: { position: 2, triesHere: 99 } }).type).toBe("wait");
  });

  test("T7: the tries of a fallback mean nothing where it is not tried after the retries", () => {
    const policy: PolicyInput = { fallback: { when: "long-wait", triesPerFallback: 1 } };
    expect(decided({ failure: server, policy, chain: CHAIN, standing: { position: 2, triesHere: 9 } }).type).toBe(
      "wait",
    );
  });

  test("T7: does not come back to a target that is spent", () => {
    const standing = { position: 3, used: [3], spent: [0, 1, 2] };
    expect(decided({ failure: server, chain: CHAIN, standing })).toEqual({
      type: "stop",
      reason: "retries-exhausted",
      because: "every retry is used up",
    });
  });

  test("S5: immediate moves at the first failure, and waits when nothing is free", () => {
    expect(decided({ failure: server, policy: immediate, chain: CHAIN })).toEqual({
      type: "switch",
      to: 2,
      schedule: 0,
      because: "another target is free, so no wait is needed",
    });
    expect(decided({ failure: server, policy: immediate, chain: CHAIN, blockedMs: { 2: 99_999, 3: 99_999 } })).toEqual({
      type: "wait",
      delayMs: 1000,
      to: 0,
      schedule: 0,
      because: "server usually passes",
    });
  });

  test.each([
    [{ 1: 90_000, 2: 999, 3: 1000 }, 999, 2, "everything cools down; this one is free first"],
    [{ 1: 1000, 2: 1000, 3: 1000 }, 1000, 0, "rate_limit usually passes"],
    [{ 1: 1, 2: 1, 3: 1 }, 1, 1, "everything cools down; this one is free first"],
  ])(
    "E17: immediate does not sleep past the moment when one of %j is free again",
    (blockedMs, delayMs, to, because) => {
      const limited = failure("rate_limit", { scope: "credential" });
      expect(decided({ failure: limited, policy: immediate, chain: CHAIN, blockedMs })).toEqual({
        type: "wait",
        delayMs,
        to,
        schedule: 0,
        because,
      });
    },
  );

  test.each(["long-wait", "after-retries"] as const)("E17: %s stays for a short wait", (when) => {
    const limited = failure("rate_limit", { scope: "credential" });
    const blockedMs = { 1: 1, 2: 1, 3: 1 };
    expect(decided({ failure: limited, policy: { fallback: { when } }, chain: CHAIN, blockedMs })).toMatchObject({
      type: "wait",
      delayMs: 1000,
      to: 0,
    });
  });

  test("E17: immediate rotates first where the credential was at fault", () => {
    const limited = failure("rate_limit", { scope: "credential" });
    expect(decided({ failure: limited, policy: immediate, chain: CHAIN })).toMatchObject({ type: "rotate", to: 1 });
  });

  test.each<["immediate" | "long-wait", boolean, string]>([
    ["immediate", true, "stop"],
    ["long-wait", true, "stop"],
    ["immediate", false, "switch"],
    ["long-wait", false, "switch"],
  ])("S1: %s, moves count %j: without a retry left it is a %s", (when, movesCount, type) => {
    const policy: PolicyInput = { fallback: { when, movesCount }, sameServerError: 2 };
    const exhausted = decided({ failure: server, policy, chain: CHAIN, standing: { used: [3] } });
    expect(exhausted.type).toBe(type);
    if (type === "stop") expect(exhausted).toMatchObject({ reason: "retries-exhausted" });
    const hopeless = [
      decided({ failure: { ...server, retryable: false }, policy, chain: CHAIN, standing: { used: [3] } }),
      decided({ failure: server, policy, chain: CHAIN, standing: { used: [3], sameErrorRun: 2 } }),
    ];
    for (const decision of hopeless) {
      expect(decision.type).toBe(type);
      if (type === "stop") expect(decision).toMatchObject({ reason: "hopeless" });
    }
  });

  test("T7: after-retries moves even where moves count, because each entry counts anew", () => {
    const policy: PolicyInput = { fallback: { movesCount: true } };
    expect(decided({ failure: server, policy, chain: CHAIN, standing: { used: [3] } })).toMatchObject({ to: 2 });
  });

  test.each([
    [1499, "wait"],
    [1500, "wait"],
    [1501, "switch"],
  ])("E17: with long-wait a wait of %i ms is a %s", (hintMs, type) => {
    expect(decided({ failure: { ...server, hintMs }, policy: longWait, chain: CHAIN }).type).toBe(type);
  });

  test("E17: a long wait with nowhere to go is waited", () => {
    expect(decided({ failure: { ...server, hintMs: 9000 }, policy: longWait })).toEqual({
      type: "wait",
      delayMs: 9000,
      to: 0,
      schedule: 0,
      because: "waiting as asked",
    });
    expect(decided({ failure: server, policy: longWait, standing: { used: [1] } })).toEqual({
      type: "wait",
      delayMs: 2000,
      to: 0,
      schedule: 0,
      because: "waiting as scheduled",
    });
  });

  test("E17: a long wait goes to what is free earlier", () => {
    const facts = { failure: { ...server, hintMs: 9000 }, policy: longWait, chain: CHAIN };
    expect(decided({ ...facts, blockedMs: { 2: 8999, 3: 9000 } })).toEqual({
      type: "wait",
      delayMs: 8999,
      to: 2,
      schedule: 0,
      because: "everything cools down; this one is free first",
    });
    expect(decided({ ...facts, blockedMs: { 2: 9000, 3: 9000 } })).toMatchObject({ delayMs: 9000, to: 0 });
  });

  test("E17: a long wait without a scheduled delay is measured by the hint alone", () => {
    const policy: PolicyInput = { ...longWait, rules: { server: { action: "retry", delay: "none" } } };
    expect(decided({ failure: { ...server, hintMs: 1600 }, policy, standing: { used: [2] } })).toMatchObject({
      delayMs: 1600,
      because: "waiting as asked",
    });
  });

  test.each(["immediate", "after-retries"] as const)("E17: %s does not look at the length of the wait", (when) => {
    const policy: PolicyInput = { fallback: { when, longWaitMs: 10 } };
    const busy = { 2: 99_999, 3: 99_999 };
    expect(decided({ failure: server, policy, chain: CHAIN, blockedMs: busy })).toMatchObject({
      because: "server usually passes",
    });
  });

  test.each([
    [5000, "wait"],
    [5001, "stop"],
  ])("E18: a hint of %i ms under a cap of 5000 ms is a %s where nothing can be switched to", (hintMs, type) => {
    const decision = decided({ failure: { ...server, hintMs }, policy: { maxDelayMs: 5000 } });
    expect(decision.type).toBe(type);
    if (type === "stop")
      expect(decision).toEqual({
        type: "stop",
        reason: "delay-cap",
        because: "the wait of 5001 ms is over the cap of 5000 ms and nothing can be switched to",
      });
  });

  test("E18: a wait that just meets the cap is waited, though another target is free", () => {
    const facts = { failure: { ...server, hintMs: 5000 }, policy: { maxDelayMs: 5000 }, chain: CHAIN };
    expect(decided(facts)).toEqual({
      type: "wait",
      delayMs: 5000,
      to: 0,
      schedule: 0,
      because: "the endpoint asked for this wait",
    });
  });

  test("E18: the own schedule is held to the cap as well", () => {
    const policy: PolicyInput = { maxDelayMs: 3999 };
    expect(decided({ failure: server, policy, standing: { used: [1] } }).type).toBe("wait");
    expect(decided({ failure: server, policy, standing: { used: [2] } })).toMatchObject({ reason: "delay-cap" });
  });

  test("E18: over the cap it goes to another target at once, or waits for one within the cap", () => {
    const facts = { failure: { ...server, hintMs: 9000 }, policy: { maxDelayMs: 5000 }, chain: CHAIN };
    const because = "the wait of 9 s is long and another target is free";
    expect(decided(facts)).toEqual({ type: "switch", to: 2, schedule: 0, because });
    expect(decided({ ...facts, blockedMs: { 2: 7000, 3: 5000 } })).toMatchObject({
      type: "wait",
      delayMs: 5000,
      to: 3,
    });
    expect(decided({ ...facts, blockedMs: { 2: 7000, 3: 5001 } })).toMatchObject({ reason: "delay-cap" });
  });

  test("E17: a wait is at least as long as health holds the target itself back", () => {
    const held = { failure: { ...server, hintMs: 2000 }, blockedMs: { 0: 8000 } };
    expect(decided(held)).toEqual({
      type: "wait",
      delayMs: 8000,
      to: 0,
      schedule: 0,
      because: "the target is cut off until then",
    });
    expect(decided({ ...held, blockedMs: { 0: 1999 } })).toMatchObject({
      delayMs: 2000,
      because: "the endpoint asked for this wait",
    });
    expect(decided({ ...held, policy: { maxDelayMs: 7999 } })).toMatchObject({ type: "stop", reason: "delay-cap" });
    expect(decided({ ...held, policy: { honourHints: false }, blockedMs: {} })).toMatchObject({ delayMs: 1000 });
  });

  test("B5: whether there is room to retry is not asked before the wait, but when it is over", () => {
    const asked: unknown[] = [];
    const policy: PolicyInput = { ...immediate, budget: { capacity: 7 }, breaker: { failures: 3 } };
    decided({
      failure: server,
      policy,
      chain: CHAIN,
      health: {
        blockedForMs: (target, breaker, nowMs) => 0 * asked.push([target.provider, breaker?.failures, nowMs]),
      },
    });
    expect(asked).toEqual([
      ["b", 3, 1_000_000],
      ["c", 3, 1_000_000],
    ]);
  });
});

describe("E17: whether an earlier model comes back", () => {
  const policyOf = (when: "immediate" | "long-wait" | "after-retries", revert: "cooldown-expiry" | "never") => ({
    fallback: { when, revert, longWaitMs: 60_000 },
  });
  const at = { position: 3 };

  test.each([
    [{ 0: 1000, 1: 1001, 2: 1 }, 0],
    [{ 0: 1001, 1: 1000, 2: 1 }, 1],
    [{ 0: 1001, 1: 1001, 2: 1000 }, 2],
    [{ 0: 1001, 1: 1001, 2: 1001 }, 3],
  ])("E17: cooldowns of %j after a wait of 1000 ms lead to %i", (blockedMs, to) => {
    const policy = policyOf("long-wait", "cooldown-expiry");
    expect(decided({ failure: server, policy, chain: CHAIN, standing: at, blockedMs })).toEqual({
      type: "wait",
      delayMs: 1000,
      to,
      schedule: 0,
      because: "server usually passes",
    });
  });

  test("E17: comes back from the second credential's model only to an earlier model", () => {
    const policy = policyOf("long-wait", "cooldown-expiry");
    expect(decided({ failure: server, policy, chain: CHAIN, standing: { position: 1 } })).toMatchObject({ to: 1 });
  });

  test.each<["immediate" | "long-wait" | "after-retries", "cooldown-expiry" | "never", number]>([
    ["immediate", "cooldown-expiry", 0],
    ["long-wait", "cooldown-expiry", 0],
    ["immediate", "never", 3],
    ["long-wait", "never", 3],
    ["after-retries", "cooldown-expiry", 3],
    ["after-retries", "never", 3],
  ])("E17: fallback %s with revert %s continues at %i after the wait", (when, revert, to) => {
    const blockedMs = { 0: 1000, 1: 1000, 2: 1000 };
    expect(
      decided({ failure: server, policy: policyOf(when, revert), chain: CHAIN, standing: at, blockedMs }),
    ).toMatchObject({ type: "wait", delayMs: 1000, to });
  });

  test("E17: a cooldown that ended during the last attempt brings the primary back after the wait", () => {
    const policy = policyOf("immediate", "cooldown-expiry");
    const standing = { position: 3, leftSinceWait: [0, 1, 2] };
    expect(decided({ failure: server, policy, chain: CHAIN, standing })).toMatchObject({ type: "wait", to: 0 });
  });

  test("E17: a spent target does not come back", () => {
    const policy = policyOf("immediate", "cooldown-expiry");
    const standing = { position: 3, leftSinceWait: [0, 1, 2], spent: [0, 1] };
    expect(decided({ failure: server, policy, chain: CHAIN, standing })).toMatchObject({ to: 2 });
  });
});
