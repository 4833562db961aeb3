import { describe, expect, test } from "vitest";
import { classify } from "../../src/kernel/classify/classify.ts";
import { type Chain, chainOf } from "../../src/kernel/decide/chain.ts";
import type { PolicyInput } from "../../src/kernel/decide/define-policy.ts";
import { definePolicy } from "../../src/kernel/decide/define-policy.ts";
import { isPolicy, preparePolicy } from "../../src/kernel/decide/prepare-policy.ts";
import type { Failure } from "../../src/kernel/model/failure.ts";
import type { Policy } from "../../src/kernel/model/policy.ts";
import {
  backgroundPolicy,
  type ConsoleSettings,
  consolePolicy,
  defaultPolicy,
  patientPolicy,
  type SessionSettings,
  sessionPolicy,
  TAVERN_DEFAULTS,
  TAVERN_RANGES,
  type TavernSettings,
  tavernPolicy,
} from "../../src/presets/index.ts";
import { type Driven, drive } from "../kernel/decide/drive.ts";
import { failure } from "../kernel/decide/situations.ts";

const PRESETS: readonly [string, () => Policy][] = [
  ["default", defaultPolicy],
  ["patient", patientPolicy],
  ["session", sessionPolicy],
  ["console", consolePolicy],
  ["tavern", tavernPolicy],
  ["background", backgroundPolicy],
];

/** What the classifier makes of an HTTP error. */
function http(status: number, message = `HTTP ${status}`): Failure {
  return classify({ status, message }, { wallNowMs: 0 });
}

/** The generation fails in the same way for ever, or as the script says and then well. */
function failing(
  policy: Policy,
  how: Failure | readonly Failure[],
  facts: { chain?: Chain; most?: number } = {},
): Driven {
  return drive({ policy, attempt: (n) => (Array.isArray(how) ? how[n - 1] : (how as Failure)), ...facts });
}

describe("every preset", () => {
  test.each(PRESETS)("E12: %s is a finished policy of that name and comes through JSON unchanged", (name, make) => {
    const policy = make();
    expect(policy.name).toBe(name);
    expect(isPolicy(policy)).toBe(true);
    expect(Object.isFrozen(policy.rules.server)).toBe(true);
    expect(definePolicy(JSON.parse(JSON.stringify(policy)) as PolicyInput)).toEqual(policy);
  });

  test.each(PRESETS)("T13b: %s never retries an abort, a bad request or a blocked answer", (_, make) => {
    for (const failed of [failure("aborted"), http(400), http(422), failure("content_filter", { status: 400 })]) {
      expect(failing(make(), failed)).toMatchObject({ attempts: { length: 1 }, last: { type: "stop" } });
    }
  });
});

describe("tavern", () => {
  test("T1: the defaults are the script's", () => {
    expect(TAVERN_DEFAULTS).toEqual({
      enabled: true,
      maxRetries: 3,
      retryDelayMs: 1000,
      retryDelayMultiplier: 1.5,
      rateLimitDelayMs: 30_000,
      rateLimitMaxRetries: 5,
      streamingTimeoutMs: 30_000,
      thinkingTimeLimitMs: 120_000,
      requiredContentEnabled: false,
      requiredContentPattern: "",
      requiredContentIsRegex: false,
      filterEnabled: false,
      filterMode: "blacklist",
      filterGenerationIds: [],
    });
    expect(Object.isFrozen(TAVERN_DEFAULTS)).toBe(true);
  });

  test("T2: with the defaults the retries start at 1000, 2500 and 4750 ms", () => {
    for (const failed of [http(500), http(502), http(503), failure("network"), failure("invalid_content")]) {
      const { attempts, last } = failing(tavernPolicy(), failed);
      expect(attempts.map(({ atMs }) => atMs)).toEqual([0, 1000, 2500, 4750]);
      expect(last).toMatchObject({ type: "stop", reason: "retries-exhausted" });
    }
  });

  test("T3: rate limits and used-up quotas alike wait 30 s five times", () => {
    for (const failed of [http(429), failure("usage_limit", { status: 429, retryable: false, scope: "credential" })]) {
      const { waits, last } = failing(tavernPolicy(), failed);
      expect(waits).toEqual([30_000, 30_000, 30_000, 30_000, 30_000]);
      expect(last).toMatchObject({ reason: "retries-exhausted" });
    }
  });

  test("T3: rate limits and other failures count apart", () => {
    const script = [http(429), http(500), http(429), http(500), http(429), http(500), http(429), http(429), http(429)];
    expect(failing(tavernPolicy(), script)).toMatchObject({
      waits: [30_000, 1000, 30_000, 1500, 30_000, 2250, 30_000, 30_000],
      last: { type: "stop", reason: "retries-exhausted" },
    });
  });

  test("T3: a longer hint is waited for, a shorter one is not heard", () => {
    expect(failing(tavernPolicy(), [{ ...http(429), hintMs: 45_000 }]).waits).toEqual([45_000]);
    expect(failing(tavernPolicy(), [{ ...http(429), hintMs: 29_999 }]).waits).toEqual([30_000]);
  });

  test("T3: a hint of up to 5 minutes is waited for; a longer one goes to the fallback at once, or fails at once", () => {
    const limited = (hintMs: number) =>
      [http(429), failure("usage_limit", { status: 429, scope: "credential" })].map((failed) => ({
        ...failed,
        hintMs,
      }));
    const chain = chainOf(["main", "first"].map((model) => ({ provider: model, model })));
    for (const failed of limited(300_000)) expect(failing(tavernPolicy(), [failed]).waits).toEqual([300_000]);
    for (const failed of limited(300_001)) {
      expect(failing(tavernPolicy(), [failed])).toMatchObject({
        waits: [],
        last: { type: "stop", reason: "delay-cap" },
      });
      expect(failing(tavernPolicy(), [failed], { chain }).attempts).toEqual([
        { atMs: 0, position: 0 },
        { atMs: 0, position: 1 },
      ]);
    }
  });

  test("T2: other delays may exceed 5 minutes", () => {
    const { waits } = failing(tavernPolicy({ maxRetries: 6, retryDelayMs: 60_000 }), http(500));
    expect(waits).toEqual([60_000, 90_000, 135_000, 202_500, 303_750, 455_625]);
  });

  test("T5: after a silence or a stall it starts at once and counts against maxRetries", () => {
    for (const kind of ["silent", "stalled"] as const) {
      expect(failing(tavernPolicy(), failure(kind))).toMatchObject({
        waits: [0, 0, 0],
        last: { reason: "retries-exhausted" },
      });
    }
    expect(failing(tavernPolicy(), [failure("silent"), http(500)]).waits).toEqual([0, 1500]);
  });

  test("T2: an unknown text is worth a try", () => {
    expect(failing(tavernPolicy(), failure("unknown", { retryable: false })).waits).toEqual([1000, 1500, 2250]);
  });

  test("T13b: a plain 4xx is never retried", () => {
    const statuses = Array.from({ length: 100 }, (_, index) => 400 + index).filter((status) => status !== 429);
    for (const status of statuses) expect(failing(tavernPolicy(), http(status)).attempts, `${status}`).toHaveLength(1);
  });

  test("E5: context overflow stops, because this host has no compaction", () => {
    expect(failing(tavernPolicy(), failure("context_overflow")).last).toMatchObject({
      type: "stop",
      reason: "not-retryable",
    });
  });

  test("T7: the primary has its retries, then each fallback maxRetries tries in all", () => {
    const chain = chainOf(["main", "first", "second"].map((model) => ({ provider: model, model })));
    const { attempts, last } = failing(tavernPolicy(), http(500), { chain });
    expect(attempts.map(({ position }) => position)).toEqual([0, 0, 0, 0, 1, 1, 1, 2, 2, 2]);
    expect(attempts.map(({ atMs }) => atMs)).toEqual([0, 1000, 2500, 4750, 4750, 5750, 7250, 7250, 8250, 9750]);
    expect(last).toMatchObject({ reason: "retries-exhausted" });
  });

  test("T7: rate limits on a fallback have its few tries, not five retries", () => {
    const chain = chainOf(["main", "first"].map((model) => ({ provider: model, model })));
    const { attempts } = failing(tavernPolicy({ maxRetries: 2 }), http(429), { chain });
    expect(attempts.map(({ position }) => position)).toEqual([0, 0, 0, 0, 0, 0, 1, 1]);
  });

  test("E17: a refused key goes straight to the fallback", () => {
    const chain = chainOf(["main", "first"].map((model) => ({ provider: model, model })));
    expect(failing(tavernPolicy(), [http(401)], { chain }).attempts).toEqual([
      { atMs: 0, position: 0 },
      { atMs: 0, position: 1 },
    ]);
  });

  test("T1: the settings become the policy", () => {
    const policy = tavernPolicy({
      enabled: false,
      maxRetries: 7,
      retryDelayMs: 200,
      retryDelayMultiplier: 2,
      rateLimitDelayMs: 5000,
      rateLimitMaxRetries: 2,
      streamingTimeoutMs: 6000,
      thinkingTimeLimitMs: 20_000,
      requiredContentEnabled: true,
      requiredContentPattern: "\\d",
      requiredContentIsRegex: true,
      filterEnabled: true,
      filterMode: "whitelist",
      filterGenerationIds: ["x"],
    });
    expect(policy).toMatchObject({
      enabled: false,
      schedules: {
        general: { type: "exponential", baseMs: 200, factor: 2, atMost: 7 },
        "rate-limit": { type: "fixed", delayMs: 5000, atMost: 2 },
      },
      fallback: { when: "after-retries", triesPerFallback: 7, movesCount: false },
      watchdog: { firstContentMs: 20_000, idleMs: 6000 },
      require: { pattern: "\\d" },
      filter: { mode: "whitelist", ids: ["x"] },
      rules: { rate_limit: { maxDelayMs: 300_000 }, usage_limit: { maxDelayMs: 300_000 } },
      honourHints: true,
      maxDelayMs: null,
    });
  });

  test("T4: the watchdogs have the script's limits", () => {
    expect(tavernPolicy().watchdog).toEqual({ firstContentMs: 120_000, idleMs: 30_000 });
  });

  test.each<[TavernSettings, Policy["require"]]>([
    [{}, null],
    [{ requiredContentPattern: "x" }, null],
    [{ requiredContentEnabled: true }, null],
    [{ requiredContentEnabled: true, requiredContentPattern: "x" }, { text: "x" }],
    [{ requiredContentEnabled: true, requiredContentPattern: "x", requiredContentIsRegex: true }, { pattern: "x" }],
    [{ requiredContentEnabled: true, requiredContentPattern: "/x/i" }, { text: "/x/i" }],
    ...[
      ["/x/i", { pattern: "x", flags: "i" }],
      ["/a\\/b[/]/", { pattern: "a\\/b[/]" }],
      // No pattern between slashes.
      ["/a/b/", { pattern: "/a/b/" }],
      ["//i", { pattern: "//i" }],
    ].map(
      ([written, require]) =>
        [{ requiredContentEnabled: true, requiredContentIsRegex: true, requiredContentPattern: written }, require] as [
          TavernSettings,
          Policy["require"],
        ],
    ),
  ])("T6: %j requires %j", (settings, require) => {
    expect(tavernPolicy(settings).require).toEqual(require);
  });

  test.each<[TavernSettings, Policy["filter"]]>([
    [{}, null],
    [{ filterGenerationIds: ["x"], filterMode: "whitelist" }, null],
    [{ filterEnabled: true }, { mode: "blacklist", ids: [] }],
    [
      { filterEnabled: true, filterGenerationIds: [""] },
      { mode: "blacklist", ids: [""] },
    ],
  ])("T8: %j filters by %j", (settings, filter) => {
    expect(tavernPolicy(settings).filter).toEqual(filter);
  });

  const RANGES: readonly [keyof typeof TAVERN_RANGES, number, number, string][] = [
    ["maxRetries", 1, 20, "a whole number"],
    ["retryDelayMs", 100, 60_000, "a whole number"],
    ["retryDelayMultiplier", 1, 5, "a number"],
    ["rateLimitDelayMs", 1000, 300_000, "a whole number"],
    ["rateLimitMaxRetries", 1, 10, "a whole number"],
    ["streamingTimeoutMs", 5000, 300_000, "a whole number"],
    ["thinkingTimeLimitMs", 10_000, 600_000, "a whole number"],
  ];

  test.each(RANGES)("T1: %s goes from %i to %i and not beyond", (field, min, max, noun) => {
    const step = noun === "a number" ? 0.01 : 1;
    for (const good of [min, max]) expect(() => tavernPolicy({ [field]: good })).not.toThrow();
    for (const bad of [min - step, max + step, Number.NaN, "3", null]) {
      const shown = typeof bad === "string" ? `"${bad}"` : String(bad);
      expect(() => tavernPolicy({ [field]: bad } as TavernSettings)).toThrow(
        expect.objectContaining({
          name: "InvalidInput",
          message: `settings.${field} must be ${noun} from ${min} to ${max}; got ${shown}`,
        }),
      );
    }
    if (noun === "a whole number") expect(() => tavernPolicy({ [field]: min + 0.5 })).toThrow("whole number");
  });

  test("T1: there is no range without a check", () => {
    expect(Object.keys(TAVERN_RANGES)).toEqual(RANGES.map(([field]) => field));
  });

  test.each<[unknown, string]>([
    [null, "settings must be an object; got null"],
    [
      { maxRetry: 3 },
      `settings.maxRetry must be omitted (known fields: ${Object.keys(TAVERN_DEFAULTS).join(", ")}); got 3`,
    ],
    [{ enabled: "on" }, 'settings.enabled must be true or false; got "on"'],
    [{ requiredContentEnabled: 1 }, "settings.requiredContentEnabled must be true or false; got 1"],
    [{ requiredContentPattern: /x/ }, "settings.requiredContentPattern must be a string; got an object"],
    [{ requiredContentIsRegex: null }, "settings.requiredContentIsRegex must be true or false; got null"],
    [{ filterEnabled: "" }, 'settings.filterEnabled must be true or false; got ""'],
    [{ filterMode: "grey" }, 'settings.filterMode must be one of whitelist, blacklist; got "grey"'],
    [{ filterGenerationIds: "x" }, 'settings.filterGenerationIds must be an array; got "x"'],
    [{ filterGenerationIds: ["x", 2] }, "settings.filterGenerationIds[1] must be a string; got 2"],
  ])("T1: refuses %j", (settings, message) => {
    expect(() => tavernPolicy(settings as TavernSettings)).toThrow(
      expect.objectContaining({ name: "InvalidInput", message }),
    );
  });

  test("T1: a setting spelled out as undefined is left at its default", () => {
    expect(tavernPolicy({ maxRetries: undefined } as unknown as TavernSettings)).toEqual(tavernPolicy());
  });
});

describe("session", () => {
  const limited = failure("usage_limit", { status: 429, retryable: false, scope: "credential" });

  test("S1: waits 2000, 4000 and 8000 ms", () => {
    for (const failed of [http(429), http(500), http(529), failure("network")]) {
      expect(failing(sessionPolicy(), failed)).toMatchObject({
        waits: [2000, 4000, 8000],
        last: { type: "stop", reason: "retries-exhausted" },
      });
    }
    expect(failing(sessionPolicy({ maxRetries: 1, baseDelayMs: 5 }), http(500)).waits).toEqual([5]);
    expect(failing(sessionPolicy({ maxRetries: 0 }), http(500)).waits).toEqual([]);
  });

  test.each([
    [300_000, [300_000], undefined],
    [300_001, [], "delay-cap"],
  ])("E18: a hint of %i ms under the cap of 300000 is waited %j", (hintMs, waits, reason) => {
    const { last, ...driven } = failing(sessionPolicy(), [{ ...http(429), hintMs }]);
    expect(driven.waits).toEqual(waits);
    if (reason !== undefined) expect(last).toMatchObject({ type: "stop", reason });
  });

  test.each([
    [0, null],
    [-1, null],
    [Number.NEGATIVE_INFINITY, null],
    [1, 1],
    [0.5, 0.5],
    [2 ** 31 - 1, 2 ** 31 - 1],
  ])("S1: maxDelayMs %d makes the cap %j", (maxDelayMs, cap) => {
    expect(sessionPolicy({ maxDelayMs }).maxDelayMs).toBe(cap);
  });

  test("S1: without a cap any hint is waited for", () => {
    expect(failing(sessionPolicy({ maxDelayMs: 0 }), [{ ...http(429), hintMs: 86_400_000 }]).waits).toEqual([
      86_400_000,
    ]);
  });

  test("S5: a usage limit rotates, then switches, then waits as long as it asks", () => {
    const limited = failure("usage_limit", { status: 429, retryable: false, scope: "credential", hintMs: 9000 });
    const chain = chainOf([
      { provider: "a", model: "opus", credentials: ["k1", "k2"] },
      { provider: "b", model: "gpt" },
    ]);
    const { decisions, attempts } = failing(sessionPolicy(), [limited, limited, limited, http(500)], { chain });
    expect(decisions).toMatchObject([
      { type: "rotate", to: 1 },
      { type: "switch", to: 2 },
      { type: "wait", delayMs: 9000, to: 2 },
      { type: "stop", reason: "retries-exhausted" },
    ]);
    expect(attempts.map(({ atMs }) => atMs)).toEqual([0, 0, 0, 9000]);
  });

  test("E17, S5: a usage limit that does not say when it ends rotates, then switches, then ends at once", () => {
    const chain = chainOf([
      { provider: "a", model: "opus", credentials: ["k1", "k2"] },
      { provider: "b", model: "gpt" },
    ]);
    const { decisions, attempts } = failing(sessionPolicy(), limited, { chain });
    expect(decisions).toMatchObject([
      { type: "rotate", to: 1 },
      { type: "switch", to: 2 },
      { type: "stop", reason: "not-retryable" },
    ]);
    expect(attempts.map(({ atMs }) => atMs)).toEqual([0, 0, 0]);
  });

  test("S5: without another target it waits as long as the limit asks, within the cap", () => {
    expect(failing(sessionPolicy(), [{ ...limited, hintMs: 60_000 }]).waits).toEqual([60_000]);
    expect(failing(sessionPolicy(), [{ ...limited, hintMs: 300_001 }]).last).toMatchObject({ reason: "delay-cap" });
    expect(failing(sessionPolicy(), limited)).toMatchObject({ waits: [], last: { reason: "not-retryable" } });
  });

  test("S1: moves count as retries, however hopeless the failures are", () => {
    const chain = chainOf(["a", "b", "c", "d", "e", "f"].map((provider) => ({ provider, model: "m" })));
    const tooLarge = failure("rate_limit", { retryable: false, scope: "model", evidence: "never-fits" });
    expect(failing(sessionPolicy(), tooLarge, { chain }).attempts).toHaveLength(4);
    expect(failing(sessionPolicy(), http(500), { chain }).attempts).toHaveLength(4);
  });

  test("S3: context overflow is handed to compaction", () => {
    expect(failing(sessionPolicy(), failure("context_overflow")).last?.type).toBe("hand-over");
  });

  test("S6: the primary returns after its cooldown, unless fallbackRevertPolicy is never", () => {
    expect(sessionPolicy().fallback).toMatchObject({ when: "immediate", movesCount: true, revert: "cooldown-expiry" });
    expect(sessionPolicy({ fallbackRevertPolicy: "never" }).fallback.revert).toBe("never");
    expect(sessionPolicy({ enabled: false }).enabled).toBe(false);
  });

  test.each<[SessionSettings]>([
    [{ maxRetries: 0 }],
    [{ maxRetries: 1000 }],
    [{ baseDelayMs: 1 }],
    [{ baseDelayMs: 3_600_000 }],
  ])("S1: takes %j", (settings) => {
    expect(isPolicy(sessionPolicy(settings))).toBe(true);
  });

  test.each<[unknown, string]>([
    ["x", 'settings must be an object; got "x"'],
    [
      { retries: 1 },
      "settings.retries must be omitted (known fields: enabled, maxRetries, baseDelayMs, maxDelayMs, fallbackRevertPolicy); got 1",
    ],
    [{ enabled: null }, "settings.enabled must be true or false; got null"],
    [{ maxRetries: -1 }, "settings.maxRetries must be a whole number from 0 to 1000; got -1"],
    [{ maxRetries: 1001 }, "settings.maxRetries must be a whole number from 0 to 1000; got 1001"],
    [{ maxRetries: 1.5 }, "settings.maxRetries must be a whole number from 0 to 1000; got 1.5"],
    [{ maxRetries: null }, "settings.maxRetries must be a whole number from 0 to 1000; got null"],
    [{ baseDelayMs: 0.9 }, "settings.baseDelayMs must be a number from 1 to 3600000; got 0.9"],
    [{ baseDelayMs: 3_600_001 }, "settings.baseDelayMs must be a number from 1 to 3600000; got 3600001"],
    [{ maxDelayMs: Number.NaN }, "settings.maxDelayMs must be a number of at most 2147483647; got NaN"],
    [{ maxDelayMs: 2 ** 31 }, "settings.maxDelayMs must be a number of at most 2147483647; got 2147483648"],
    [{ maxDelayMs: "1m" }, 'settings.maxDelayMs must be a number of at most 2147483647; got "1m"'],
    [
      { fallbackRevertPolicy: "always" },
      'settings.fallbackRevertPolicy must be one of cooldown-expiry, never; got "always"',
    ],
  ])("S1: refuses %j", (settings, message) => {
    expect(() => sessionPolicy(settings as SessionSettings)).toThrow(
      expect.objectContaining({ name: "InvalidInput", message }),
    );
  });

  test("S1: a setting spelled out as undefined is left at its default", () => {
    expect(sessionPolicy({ maxRetries: undefined } as unknown as SessionSettings)).toEqual(sessionPolicy());
  });
});

describe("patient", () => {
  test("K5: waits 21 times, 27,105 s in all, then stops", () => {
    for (const failed of [http(503), http(500), http(429), failure("network")]) {
      const { waits, last } = failing(patientPolicy(), failed);
      expect(waits.slice(0, 9)).toEqual([
        5000, 10_000, 30_000, 60_000, 300_000, 600_000, 900_000, 1_800_000, 1_800_000,
      ]);
      expect(waits).toHaveLength(21);
      expect(waits.reduce((sum, ms) => sum + ms, 0)).toBe(27_105_000);
      expect(last).toMatchObject({ type: "stop", reason: "retries-exhausted" });
    }
    expect(preparePolicy(patientPolicy()).schedules[0]?.maxRetries).toBe(21);
  });

  test("K8: every 429 is waited out, a used-up quota as well", () => {
    const quota = failure("usage_limit", { status: 429, retryable: false, scope: "credential" });
    expect(failing(patientPolicy(), quota).waits).toHaveLength(21);
  });

  test("K2: what is not retryable ends the step", () => {
    for (const failed of [http(400), http(401), http(404), failure("unknown", { retryable: false })]) {
      expect(failing(patientPolicy(), failed).attempts).toHaveLength(1);
    }
  });
});

describe("console", () => {
  test("C1: waits 1, 2, 3, 5, 5, … seconds without end", () => {
    const { waits, last } = failing(consolePolicy(), http(503), { most: 500 });
    expect(waits).toEqual([1000, 2000, 3000, ...Array.from({ length: 497 }, () => 5000)]);
    expect(last?.type).toBe("wait");
  });

  test.each([
    [1, [1000, 1000, 1000]],
    [4, [1000, 2000, 3000, 4000, 4000]],
    [20, [1000, 2000, 3000, 5000, 8000, 13_000, 20_000, 20_000]],
  ])("C5: a longest wait of %i s gives %j", (maxDelaySeconds, waits) => {
    expect(failing(consolePolicy({ maxDelaySeconds }), http(502), { most: waits.length }).waits).toEqual(waits);
  });

  test.each([429, 502, 503, 504])("C2: %i is retried", (status) => {
    expect(failing(consolePolicy(), http(status), { most: 3 }).waits).toEqual([1000, 2000, 3000]);
  });

  test("C2: connection failures, timeouts and a quota that says when it returns are retried", () => {
    const quota = failure("usage_limit", { status: 429, retryable: false, scope: "credential", hintMs: 60_000 });
    for (const failed of [failure("network"), failure("timeout"), quota]) {
      expect(failing(consolePolicy(), failed, { most: 2 }).waits).toEqual([1000, 2000]);
    }
  });

  test("E17: a quota that does not say when it returns ends the exchange at once", () => {
    const quota = failure("usage_limit", { status: 429, retryable: false, scope: "credential" });
    expect(failing(consolePolicy(), quota)).toMatchObject({ waits: [], last: { reason: "not-retryable" } });
  });

  test.each([400, 401, 403, 404, 422, 500])("C2: %i is not retried, nor taken elsewhere", (status) => {
    const chain = chainOf(["a", "b"].map((provider) => ({ provider, model: "m" })));
    for (const kind of ["server", "usage_limit", "auth", "overloaded"] as const) {
      const failed = failure(kind, { status, scope: "credential" });
      expect(failing(consolePolicy(), failed, { chain }).last).toEqual({
        type: "stop",
        reason: "not-retryable",
        because: `console does not retry ${kind} (${status})`,
      });
    }
  });

  test.each([408, 499, 522, 524, 529])("C2: %i is retried without end as well: an overload, a timeout", (status) => {
    expect(failing(consolePolicy(), http(status), { most: 40 }).waits).toHaveLength(40);
  });

  test("C2: what may pass but was not promised is tried three times more: broken and empty answers, other 5xx", () => {
    const others = [failure("stream_broken"), failure("invalid_content"), failure("server"), http(520), http(501)];
    for (const failed of others) {
      const { waits, last } = failing(consolePolicy(), failed, { most: 40 });
      expect(waits).toEqual([1000, 2000, 3000]);
      expect(last).toMatchObject({ type: "stop", reason: "retries-exhausted" });
    }
  });

  test("C5: no hint makes a wait longer than the configured one", () => {
    expect(failing(consolePolicy(), { ...http(429), hintMs: 60_000 }, { most: 1 }).waits).toEqual([1000]);
  });

  test("E5: context overflow stops", () => {
    expect(failing(consolePolicy(), failure("context_overflow")).last).toMatchObject({ reason: "not-retryable" });
  });

  test.each<[unknown, string]>([
    [7, "settings must be an object; got 7"],
    [{ maxDelay: 5 }, "settings.maxDelay must be omitted (known fields: maxDelaySeconds); got 5"],
    [{ maxDelaySeconds: 0.9 }, "settings.maxDelaySeconds must be a number from 1 to 3600; got 0.9"],
    [{ maxDelaySeconds: 3601 }, "settings.maxDelaySeconds must be a number from 1 to 3600; got 3601"],
    [{ maxDelaySeconds: null }, "settings.maxDelaySeconds must be a number from 1 to 3600; got null"],
  ])("C5: refuses %j", (settings, message) => {
    expect(() => consolePolicy(settings as ConsoleSettings)).toThrow(
      expect.objectContaining({ name: "InvalidInput", message }),
    );
  });

  test("C5: accepts a maximum delay of 1 s and of 3600 s", () => {
    expect(consolePolicy({ maxDelaySeconds: 1 }).schedules.general).toMatchObject({ capMs: 1000 });
    expect(consolePolicy({ maxDelaySeconds: 3600 }).schedules.general).toMatchObject({ capMs: 3_600_000 });
  });
});

test.each([tavernPolicy(), sessionPolicy(), patientPolicy(), consolePolicy()])(
  "E11: $name counts its retries, and has no limit in time of its own",
  (policy) => {
    expect([policy.patienceMs, policy.fallback.patienceMs]).toEqual([null, null]);
  },
);

describe("default", () => {
  test("E11: spreads its waits over the full delay, which doubles to twelve seconds, for five minutes in all", () => {
    const waitsAt = (random: number) =>
      drive({
        policy: defaultPolicy(),
        attempt: (n) => failure("rate_limit", { message: `${n}` }),
        random: () => random,
        most: 100,
      });
    const climb = [1000, 2000, 4000, 8000, ...Array(23).fill(12_000)];
    expect(waitsAt(1).waits).toEqual([...climb, 9000]);
    expect(waitsAt(1).last).toMatchObject({ type: "stop", reason: "patience" });
    expect(waitsAt(0.5).waits.slice(0, 27)).toEqual(climb.map((delayMs) => delayMs / 2));
    expect(waitsAt(0.5).waits.reduce((sum, delayMs) => sum + delayMs, 0)).toBe(300_000);
    expect(waitsAt(0).waits).toEqual(Array(100).fill(0));
  });

  test("E17: a wait that makes it more than two seconds for one model goes to the next target", () => {
    const chain = chainOf(["a", "b"].map((provider) => ({ provider, model: "m" })));
    const limit = { ...http(429), hintMs: 1000 };
    const { decisions } = drive({ policy: defaultPolicy(), chain, attempt: () => limit, random: () => 0, most: 3 });
    expect(decisions.map(({ type }) => type)).toEqual(["wait", "wait", "switch"]);
  });

  test("E17: a used-up quota is waited for only if it says when it returns, within the cap", () => {
    const quota = failure("usage_limit", { status: 429, retryable: false, scope: "credential" });
    expect(failing(defaultPolicy(), [{ ...quota, hintMs: 120_000 }]).waits).toEqual([120_000]);
    expect(failing(defaultPolicy(), { ...quota, hintMs: 120_001 })).toMatchObject({
      attempts: { length: 1 },
      last: { type: "stop", reason: "delay-cap" },
    });
    expect(failing(defaultPolicy(), quota)).toMatchObject({
      attempts: { length: 1 },
      last: { type: "stop", reason: "not-retryable" },
    });
  });

  test("B2: the same 500 twice in a row is hopeless, the same 503 is not", () => {
    expect(failing(defaultPolicy(), http(500, "boom"))).toMatchObject({
      attempts: { length: 2 },
      last: { type: "stop", reason: "hopeless" },
    });
    expect(failing(defaultPolicy(), [http(503, "boom"), http(503, "boom"), http(503, "boom")]).waits).toHaveLength(3);
  });

  test("E18: a hint of three minutes is over the cap of two and fails at once", () => {
    expect(failing(defaultPolicy(), { ...http(429), hintMs: 180_000 })).toMatchObject({
      attempts: [{ atMs: 0 }],
      last: { type: "stop", reason: "delay-cap" },
    });
    expect(failing(defaultPolicy(), [{ ...http(429), hintMs: 120_000 }]).waits).toEqual([120_000]);
  });

  test("E17: a wait of more than two seconds goes to the next target", () => {
    const chain = chainOf(["a", "b"].map((provider) => ({ provider, model: "m" })));
    expect(failing(defaultPolicy(), [{ ...http(429), hintMs: 2000 }], { chain }).waits).toEqual([2000]);
    expect(failing(defaultPolicy(), [{ ...http(429), hintMs: 2001 }], { chain }).decisions).toMatchObject([
      { type: "switch", to: 1 },
    ]);
  });

  test("B5: five failures in a row open the breaker for a second, and each failed probe for twice as long, up to eight", () => {
    const { decisions } = drive({ policy: defaultPolicy(), attempt: () => http(503), random: () => 0, most: 9 });
    expect(decisions.map((decision) => (decision.type === "wait" ? decision.delayMs : decision))).toEqual([
      0, 0, 0, 0, 1000, 2000, 4000, 8000, 8000,
    ]);
    expect(defaultPolicy()).toMatchObject({
      breaker: { failures: 5, leastShare: 0.25, cooldownMs: 1000, maxCooldownMs: 8000, rampMs: 30_000 },
      budget: { capacity: 100, capacitySeconds: 10, refillPerSuccess: 1, refillPerSecond: 1 },
      watchdog: { firstContentMs: 300_000, idleMs: 60_000 },
      patienceMs: 300_000,
      fallback: { patienceMs: 2000, revert: "cooldown-expiry", cooldownMs: 60_000 },
    });
  });

  test("E20: is made once", () => {
    expect(defaultPolicy()).toBe(defaultPolicy());
    expect(patientPolicy()).toBe(patientPolicy());
  });
});
