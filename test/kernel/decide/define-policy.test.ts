import { describe, expect, test } from "vitest";
import { BASE_POLICY } from "../../../src/kernel/decide/base-policy.ts";
import { definePolicy, type PolicyInput } from "../../../src/kernel/decide/define-policy.ts";
import { isPolicy, preparePolicy } from "../../../src/kernel/decide/prepare-policy.ts";
import { MAX_DELAY_MS } from "../../../src/kernel/decide/schedule-check.ts";
import { FAILURE_KINDS } from "../../../src/kernel/model/failure.ts";
import type { Policy } from "../../../src/kernel/model/policy.ts";
import { defaultPolicy } from "../../../src/presets/index.ts";

/** A policy that says something of its own about everything. */
const FULL: PolicyInput = {
  name: "full",
  enabled: false,
  schedules: {
    general: { type: "fibonacci", unitMs: 500, repeatFirst: true, capMs: 9000, jitter: "equal", atMost: 7 },
    slow: { type: "stepped", stepsMs: [1, 2, 3], budgetMs: 50 },
  },
  rules: {
    server: { action: "retry", schedule: "slow", delay: "none", when: "always" },
    auth: { action: "elsewhere", schedule: "slow", otherwise: "wait" },
    context_overflow: "stop",
    bad_request: "hand-over",
    aborted: "stop",
  },
  statuses: { 429: "retry", 418: { action: "elsewhere", otherwise: "wait" } },
  classify: [
    { name: "mine", when: { status: 418, code: "teapot", text: "short and stout", provider: "pot" }, kind: "server" },
    { name: "yours", when: { text: "spout" }, kind: "overloaded", retryable: false },
  ],
  honourHints: false,
  maxDelayMs: 0,
  patienceMs: 99,
  fallback: {
    when: "immediate",
    longWaitMs: 1,
    patienceMs: 66,
    triesPerFallback: 4,
    movesCount: true,
    revert: "never",
    cooldownMs: 77,
  },
  afterContent: "restart",
  watchdog: { firstContentMs: 11, idleMs: 12 },
  require: { pattern: "^a", flags: "i" },
  sameServerError: 3,
  guessRetries: 1,
  breaker: { failures: 2, leastShare: 0.3, cooldownMs: 30, maxCooldownMs: 40, rampMs: 50 },
  budget: { capacity: 5, capacitySeconds: 7, refillPerSuccess: 0.5, refillPerSecond: 0.25 },
  filter: { mode: "whitelist", ids: ["", "b"] },
};

const GENERAL_RETRY = { action: "retry", schedule: "general", delay: "schedule", when: "retryable" };
const GENERAL_ELSEWHERE = { action: "elsewhere", schedule: "general", otherwise: "stop" };

function refused(input: unknown, base?: Policy): string {
  try {
    definePolicy(input as PolicyInput, base);
  } catch (error) {
    expect(error).toMatchObject({ name: "InvalidInput" });
    return (error as Error).message;
  }
  return "accepted";
}

describe("what a policy is made of", () => {
  test("E12: the base policy is the neutral ground, figure by figure", () => {
    expect(BASE_POLICY).toEqual({
      name: "base",
      enabled: true,
      schedules: { general: { type: "exponential", baseMs: 1000, factor: 2, atMost: 3 } },
      rules: {
        rate_limit: GENERAL_RETRY,
        usage_limit: GENERAL_ELSEWHERE,
        overloaded: GENERAL_RETRY,
        server: GENERAL_RETRY,
        network: GENERAL_RETRY,
        timeout: GENERAL_RETRY,
        stalled: GENERAL_RETRY,
        silent: GENERAL_RETRY,
        invalid_content: GENERAL_RETRY,
        stream_broken: GENERAL_RETRY,
        context_overflow: { action: "hand-over" },
        auth: GENERAL_ELSEWHERE,
        permission: GENERAL_ELSEWHERE,
        bad_request: { action: "stop" },
        not_found: GENERAL_ELSEWHERE,
        content_filter: { action: "stop" },
        aborted: { action: "stop" },
        unknown: GENERAL_RETRY,
      },
      statuses: {},
      classify: [],
      honourHints: true,
      maxDelayMs: null,
      patienceMs: null,
      fallback: {
        when: "after-retries",
        longWaitMs: 30_000,
        patienceMs: null,
        triesPerFallback: null,
        movesCount: false,
        revert: "cooldown-expiry",
        cooldownMs: 300_000,
      },
      afterContent: "stop",
      watchdog: { firstContentMs: null, idleMs: null },
      require: null,
      sameServerError: null,
      guessRetries: null,
      breaker: null,
      budget: null,
      filter: null,
    });
  });

  test("E12: omitted fields come from the base", () => {
    expect(definePolicy({})).toEqual(BASE_POLICY);
    const full = definePolicy(FULL);
    expect(definePolicy({}, full)).toEqual(full);
  });

  test("E12: what is given is taken, and rules in part are filled in", () => {
    expect(definePolicy(FULL)).toEqual({
      ...FULL,
      rules: {
        ...BASE_POLICY.rules,
        server: { action: "retry", schedule: "slow", delay: "none", when: "always" },
        auth: { action: "elsewhere", schedule: "slow", otherwise: "wait" },
        context_overflow: { action: "stop" },
        bad_request: { action: "hand-over" },
        aborted: { action: "stop" },
      },
      statuses: { 429: GENERAL_RETRY, 418: { action: "elsewhere", schedule: "general", otherwise: "wait" } },
    });
  });

  test("E12: parts are merged with the parts of the base", () => {
    const base = definePolicy(FULL);
    const policy = definePolicy(
      {
        schedules: { extra: { type: "fixed", delayMs: 5 } },
        rules: { server: "stop", timeout: { action: "retry", schedule: "extra" } },
        statuses: { 500: "stop" },
        fallback: { when: "long-wait" },
        watchdog: { idleMs: null },
        breaker: { failures: 9 },
        budget: { capacity: 6 },
      },
      base,
    );
    expect(policy).toEqual({
      ...base,
      schedules: { ...base.schedules, extra: { type: "fixed", delayMs: 5 } },
      rules: { ...base.rules, server: { action: "stop" }, timeout: { ...GENERAL_RETRY, schedule: "extra" } },
      statuses: { ...base.statuses, 500: { action: "stop" } },
      fallback: { ...base.fallback, when: "long-wait" },
      watchdog: { firstContentMs: 11, idleMs: null },
      breaker: { failures: 9, leastShare: 0.3, cooldownMs: 30, maxCooldownMs: 40, rampMs: 50 },
      budget: { capacity: 6, capacitySeconds: 7, refillPerSuccess: 0.5, refillPerSecond: 0.25 },
    });
  });

  test("C9: a cooldown longer than the base's longest raises the longest", () => {
    const base = definePolicy({ breaker: { cooldownMs: 100, maxCooldownMs: 200 } });
    const longest = (breaker: object) => definePolicy({ breaker }, base).breaker?.maxCooldownMs;
    expect(longest({ cooldownMs: 50_000 })).toBe(50_000);
    expect(longest({ cooldownMs: 150 })).toBe(200);
    expect(longest({ cooldownMs: 150, maxCooldownMs: undefined })).toBe(200);
  });

  test("B5: breaker and budget have their own defaults if the base has none", () => {
    const policy = definePolicy({ breaker: {}, budget: {} });
    expect(policy.breaker).toEqual({
      failures: 5,
      leastShare: 0.25,
      cooldownMs: 1000,
      maxCooldownMs: 8000,
      rampMs: 30_000,
    });
    expect(policy.budget).toEqual({ capacity: 100, capacitySeconds: 10, refillPerSuccess: 1, refillPerSecond: 1 });
  });

  test("B5: these defaults are the figures of the recommended policy", () => {
    const { breaker, budget } = defaultPolicy();
    expect(definePolicy({ breaker: {}, budget: {} })).toMatchObject({ breaker, budget });
  });

  test("E12: null switches off what the base had on", () => {
    const off = {
      maxDelayMs: null,
      patienceMs: null,
      require: null,
      sameServerError: null,
      guessRetries: null,
      breaker: null,
      budget: null,
      filter: null,
    };
    expect(definePolicy(off, definePolicy(FULL))).toMatchObject(off);
    expect(
      definePolicy({ fallback: { triesPerFallback: null } }, definePolicy(FULL)).fallback.triesPerFallback,
    ).toBeNull();
  });

  test("E12: a field set to undefined counts as omitted, at every level", () => {
    const base = definePolicy(FULL);
    const nothing = Object.fromEntries(Object.keys(BASE_POLICY).map((field) => [field, undefined]));
    expect(definePolicy(nothing as PolicyInput, base)).toEqual(base);
    const inner = {
      rules: { server: undefined },
      fallback: { when: undefined },
      watchdog: { idleMs: undefined },
      breaker: { failures: undefined },
      budget: { capacity: undefined },
    };
    expect(definePolicy(inner as unknown as PolicyInput, base)).toEqual(base);
  });

  test("E12: a policy is plain data: through JSON it comes back equal", () => {
    for (const policy of [definePolicy({}), definePolicy(FULL), definePolicy({ require: { text: "```json" } })]) {
      expect(definePolicy(JSON.parse(JSON.stringify(policy)) as PolicyInput)).toEqual(policy);
    }
  });

  test("E12: a policy is frozen through and through, the caller's own data is not", () => {
    const stepsMs = [1, 2];
    const ids = ["x"];
    const policy = definePolicy({
      ...FULL,
      schedules: { slow: { type: "stepped", stepsMs } },
      filter: { mode: "blacklist", ids },
    });
    const frozen = (value: unknown): boolean =>
      typeof value !== "object" ||
      value === null ||
      (Object.isFrozen(value) && Object.values(value).every((inner) => frozen(inner)));
    expect(frozen(policy)).toBe(true);
    expect(frozen(BASE_POLICY)).toBe(true);
    expect(Object.isFrozen(stepsMs) || Object.isFrozen(ids)).toBe(false);
    stepsMs.push(3);
    expect(policy.schedules.slow).toEqual({ type: "stepped", stepsMs: [1, 2] });
  });

  test.each<PolicyInput>([
    { maxDelayMs: MAX_DELAY_MS },
    { patienceMs: 0, fallback: { patienceMs: 0 } },
    { patienceMs: MAX_DELAY_MS, fallback: { patienceMs: MAX_DELAY_MS } },
    { patienceMs: null, fallback: { patienceMs: null } },
    { fallback: { longWaitMs: 0, triesPerFallback: 1, cooldownMs: 1 } },
    { fallback: { longWaitMs: MAX_DELAY_MS, cooldownMs: MAX_DELAY_MS } },
    { watchdog: { firstContentMs: 1, idleMs: MAX_DELAY_MS } },
    { watchdog: { firstContentMs: MAX_DELAY_MS, idleMs: 1 } },
    { sameServerError: 2 },
    { breaker: { failures: 1, leastShare: 0, cooldownMs: 1, maxCooldownMs: 1, rampMs: 0 } },
    { breaker: { leastShare: 1 } },
    { breaker: { rampMs: MAX_DELAY_MS } },
    { breaker: { failures: 1, cooldownMs: MAX_DELAY_MS, maxCooldownMs: MAX_DELAY_MS } },
    { budget: { capacity: 1, capacitySeconds: 0, refillPerSuccess: 0, refillPerSecond: 0 } },
    { budget: { capacity: 1_000_000, refillPerSuccess: 1_000_000 } },
    { budget: { capacitySeconds: 86_400, refillPerSecond: 1_000_000 } },
    { statuses: { 100: "stop", 599: "stop" } },
    { classify: [{ name: "", when: { status: 100 }, kind: "server", retryable: true }] },
    { classify: [{ name: "", when: { status: 599 }, kind: "server" }] },
  ])("E12: takes a value at its bounds: %j", (input) => {
    expect(refused(input)).toBe("accepted");
  });
});

describe("what a policy refuses, and in which words", () => {
  const kinds = FAILURE_KINDS.join(", ");
  const fields = Object.keys(BASE_POLICY).join(", ");
  const actions = "one of retry, elsewhere, hand-over, stop";
  const delay = `a number from 0 to ${MAX_DELAY_MS}`;
  const positive = `a number from 1 to ${MAX_DELAY_MS}`;

  test.each<[unknown, string]>([
    [null, "policy must be an object; got null"],
    [[], "policy must be an object; got an array"],
    ["default", 'policy must be an object; got "default"'],
    [{ retries: 3 }, `policy.retries must be omitted (known fields: ${fields}); got 3`],
    [{ name: 1 }, "policy.name must be a string; got 1"],
    [{ enabled: "yes" }, 'policy.enabled must be true or false; got "yes"'],
    [{ schedules: [] }, "policy.schedules must be an object; got an array"],
    [{ schedules: null }, "policy.schedules must be an object; got null"],
    [
      { schedules: { slow: { type: "linear" } } },
      'policy.schedules.slow.type must be exponential, fibonacci, stepped or fixed; got "linear"',
    ],
    [{ rules: null }, "policy.rules must be an object; got null"],
    [{ rules: { timeouts: "stop" } }, `policy.rules.timeouts must be omitted (known fields: ${kinds}); got "stop"`],
    [{ rules: { server: "again" } }, `policy.rules.server must be ${actions}; got "again"`],
    [{ rules: { server: null } }, "policy.rules.server must be an object; got null"],
    [{ rules: { server: {} } }, `policy.rules.server must be ${actions}; got undefined`],
    [
      { rules: { server: { action: "retry", schedule: "slow" } } },
      'policy.rules.server.schedule must be one of general; got "slow"',
    ],
    [
      { rules: { auth: { action: "elsewhere", schedule: 3 } } },
      "policy.rules.auth.schedule must be one of general; got 3",
    ],
    [
      { rules: { server: { action: "retry", delay: 5 } } },
      "policy.rules.server.delay must be one of schedule, none; got 5",
    ],
    [
      { rules: { server: { action: "retry", when: "never" } } },
      'policy.rules.server.when must be one of retryable, always; got "never"',
    ],
    [
      { rules: { server: { action: "retry", otherwise: "wait" } } },
      'policy.rules.server.otherwise must be omitted (known fields: action, schedule, delay, when, maxDelayMs); got "wait"',
    ],
    [
      { rules: { auth: { action: "elsewhere", otherwise: "again" } } },
      'policy.rules.auth.otherwise must be one of wait, retry, stop; got "again"',
    ],
    [
      { rules: { auth: { action: "elsewhere", delay: "none" } } },
      'policy.rules.auth.delay must be omitted (known fields: action, schedule, otherwise); got "none"',
    ],
    [
      { rules: { server: { action: "stop", when: "always" } } },
      'policy.rules.server.when must be omitted (known fields: action); got "always"',
    ],
    [{ rules: { context_overflow: "retry" } }, 'policy.rules.context_overflow must be hand-over or stop; got "retry"'],
    [
      { rules: { context_overflow: "elsewhere" } },
      'policy.rules.context_overflow must be hand-over or stop; got "elsewhere"',
    ],
    [{ rules: { aborted: "retry" } }, 'policy.rules.aborted must be stop; got "retry"'],
    [{ rules: { aborted: "hand-over" } }, 'policy.rules.aborted must be stop; got "hand-over"'],
    [{ statuses: 429 }, "policy.statuses must be an object; got 429"],
    [{ statuses: { 99: "stop" } }, "policy.statuses key 99 must be a whole number from 100 to 599; got 99"],
    [{ statuses: { 600: "stop" } }, "policy.statuses key 600 must be a whole number from 100 to 599; got 600"],
    [{ statuses: { 429.5: "stop" } }, "policy.statuses key 429.5 must be a whole number from 100 to 599; got 429.5"],
    [{ statuses: { "5xx": "stop" } }, "policy.statuses key 5xx must be a whole number from 100 to 599; got NaN"],
    [{ statuses: { 429: "wait" } }, `policy.statuses.429 must be ${actions}; got "wait"`],
    [
      { statuses: { 429: { action: "retry", schedule: "x" } } },
      'policy.statuses.429.schedule must be one of general; got "x"',
    ],
    [{ honourHints: 1 }, "policy.honourHints must be true or false; got 1"],
    [{ maxDelayMs: -1 }, `policy.maxDelayMs must be ${delay}; got -1`],
    [{ maxDelayMs: MAX_DELAY_MS + 1 }, `policy.maxDelayMs must be ${delay}; got ${MAX_DELAY_MS + 1}`],
    [{ maxDelayMs: Number.NaN }, `policy.maxDelayMs must be ${delay}; got NaN`],
    [{ patienceMs: -1 }, `policy.patienceMs must be ${delay}; got -1`],
    [{ patienceMs: MAX_DELAY_MS + 1 }, `policy.patienceMs must be ${delay}; got ${MAX_DELAY_MS + 1}`],
    [{ patienceMs: "5min" }, `policy.patienceMs must be ${delay}; got "5min"`],
    [{ fallback: { patienceMs: -1 } }, `policy.fallback.patienceMs must be ${delay}; got -1`],
    [{ fallback: null }, "policy.fallback must be an object; got null"],
    [
      { fallback: { after: 1 } },
      "policy.fallback.after must be omitted (known fields: when, longWaitMs, patienceMs, triesPerFallback, movesCount, revert, cooldownMs); got 1",
    ],
    [
      { fallback: { when: "later" } },
      'policy.fallback.when must be one of immediate, after-retries, long-wait; got "later"',
    ],
    [{ fallback: { longWaitMs: -1 } }, `policy.fallback.longWaitMs must be ${delay}; got -1`],
    [{ fallback: { longWaitMs: null } }, `policy.fallback.longWaitMs must be ${delay}; got null`],
    [
      { fallback: { triesPerFallback: 0 } },
      "policy.fallback.triesPerFallback must be a whole number of at least 1; got 0",
    ],
    [
      { fallback: { triesPerFallback: 1.5 } },
      "policy.fallback.triesPerFallback must be a whole number of at least 1; got 1.5",
    ],
    [{ fallback: { movesCount: 0 } }, "policy.fallback.movesCount must be true or false; got 0"],
    [{ fallback: { revert: "always" } }, 'policy.fallback.revert must be one of cooldown-expiry, never; got "always"'],
    [{ fallback: { cooldownMs: 0 } }, `policy.fallback.cooldownMs must be ${positive}; got 0`],
    [
      { fallback: { cooldownMs: MAX_DELAY_MS + 1 } },
      `policy.fallback.cooldownMs must be ${positive}; got ${MAX_DELAY_MS + 1}`,
    ],
    [{ afterContent: "resume" }, 'policy.afterContent must be one of stop, restart; got "resume"'],
    [{ watchdog: null }, "policy.watchdog must be an object; got null"],
    [{ watchdog: { firstContentMs: 0 } }, `policy.watchdog.firstContentMs must be ${positive}; got 0`],
    [{ watchdog: { idleMs: "1s" } }, `policy.watchdog.idleMs must be ${positive}; got "1s"`],
    [{ watchdog: { idle: 1 } }, "policy.watchdog.idle must be omitted (known fields: firstContentMs, idleMs); got 1"],
    [{ sameServerError: 1 }, "policy.sameServerError must be a whole number of at least 2; got 1"],
    [{ guessRetries: -1 }, "policy.guessRetries must be a whole number of at least 0; got -1"],
    [{ sameServerError: 2.5 }, "policy.sameServerError must be a whole number of at least 2; got 2.5"],
    [{ breaker: true }, "policy.breaker must be an object; got true"],
    [{ breaker: { failures: 0 } }, "policy.breaker.failures must be a whole number of at least 1; got 0"],
    [{ breaker: { failures: 1.5 } }, "policy.breaker.failures must be a whole number of at least 1; got 1.5"],
    [{ breaker: { rampMs: -1 } }, `policy.breaker.rampMs must be a number from 0 to ${MAX_DELAY_MS}; got -1`],
    [{ breaker: { rampMs: "30s" } }, `policy.breaker.rampMs must be a number from 0 to ${MAX_DELAY_MS}; got "30s"`],
    [
      { breaker: { patienceMs: 120_000 } },
      "policy.breaker.patienceMs must be omitted (now: policy.patienceMs); got 120000",
    ],
    [{ breaker: { cooldownMs: 0 } }, `policy.breaker.cooldownMs must be ${positive}; got 0`],
    [
      { breaker: { cooldownMs: 50, maxCooldownMs: 49 } },
      `policy.breaker.maxCooldownMs must be a number from 50 to ${MAX_DELAY_MS}; got 49`,
    ],
    [
      { breaker: { maxCooldownMs: MAX_DELAY_MS + 1 } },
      `policy.breaker.maxCooldownMs must be a number from 1000 to ${MAX_DELAY_MS}; got ${MAX_DELAY_MS + 1}`,
    ],
    [
      { breaker: { probes: 2 } },
      "policy.breaker.probes must be omitted (known fields: failures, leastShare, cooldownMs, maxCooldownMs, rampMs); got 2",
    ],
    [{ breaker: { leastShare: -0.1 } }, "policy.breaker.leastShare must be a number from 0 to 1; got -0.1"],
    [{ breaker: { leastShare: 40 } }, "policy.breaker.leastShare must be a number from 0 to 1; got 40"],
    [
      { rules: { server: { action: "retry", maxDelayMs: -1 } } },
      `policy.rules.server.maxDelayMs must be a number from 0 to ${MAX_DELAY_MS}; got -1`,
    ],
    [{ budget: 10 }, "policy.budget must be an object; got 10"],
    [{ budget: { capacity: 0.9 } }, "policy.budget.capacity must be a number from 1 to 1000000; got 0.9"],
    [{ budget: { capacity: 1_000_001 } }, "policy.budget.capacity must be a number from 1 to 1000000; got 1000001"],
    [
      { budget: { refillPerSuccess: -0.1 } },
      "policy.budget.refillPerSuccess must be a number from 0 to 1000000; got -0.1",
    ],
    [
      { budget: { refillPerSuccess: 1_000_001 } },
      "policy.budget.refillPerSuccess must be a number from 0 to 1000000; got 1000001",
    ],
    [
      { budget: { refill: 1 } },
      "policy.budget.refill must be omitted (known fields: capacity, capacitySeconds, refillPerSuccess, refillPerSecond); got 1",
    ],
    [{ budget: { capacitySeconds: -1 } }, "policy.budget.capacitySeconds must be a number from 0 to 86400; got -1"],
    [
      { budget: { capacitySeconds: 86_401 } },
      "policy.budget.capacitySeconds must be a number from 0 to 86400; got 86401",
    ],
    [{ budget: { refillPerSecond: -1 } }, "policy.budget.refillPerSecond must be a number from 0 to 1000000; got -1"],
    [
      { budget: { refillPerSecond: 1_000_001 } },
      "policy.budget.refillPerSecond must be a number from 0 to 1000000; got 1000001",
    ],
    [{ filter: [] }, "policy.filter must be an object; got an array"],
    [{ filter: { mode: "grey", ids: [] } }, 'policy.filter.mode must be one of whitelist, blacklist; got "grey"'],
    [{ filter: { mode: "blacklist" } }, "policy.filter.ids must be an array; got undefined"],
    [{ filter: { mode: "blacklist", ids: ["x", 1] } }, "policy.filter.ids[1] must be a string; got 1"],
    [
      { filter: { mode: "blacklist", ids: [], id: "x" } },
      'policy.filter.id must be omitted (known fields: mode, ids); got "x"',
    ],
  ])("E12: %j", (input, message) => {
    expect(refused(input)).toBe(message);
  });

  test.each<[unknown, string]>([
    [{}, "policy.classify must be an array; got an object"],
    [["x"], 'policy.classify[0] must be an object; got "x"'],
    [
      [{ name: "n", when: { status: 1 }, kind: "server", scope: "model" }],
      'policy.classify[0].scope must be omitted (known fields: name, when, kind, retryable); got "model"',
    ],
    [[{ name: "n", kind: "server" }], "policy.classify[0].when must be an object; got undefined"],
    [
      [{ name: "n", when: {}, kind: "server" }],
      "policy.classify[0].when must be an object with at least one of status, code, text, provider; got an object",
    ],
    [
      [{ name: "n", when: { text: undefined }, kind: "server" }],
      "policy.classify[0].when must be an object with at least one of status, code, text, provider; got an object",
    ],
    [
      [{ name: "n", when: { header: "x" }, kind: "server" }],
      'policy.classify[0].when.header must be omitted (known fields: status, code, text, provider); got "x"',
    ],
    [
      [{ name: "n", when: { status: 99 }, kind: "server" }],
      "policy.classify[0].when.status must be a whole number from 100 to 599; got 99",
    ],
    [
      [{ name: "n", when: { status: 600 }, kind: "server" }],
      "policy.classify[0].when.status must be a whole number from 100 to 599; got 600",
    ],
    [
      [{ name: "n", when: { status: 404.5 }, kind: "server" }],
      "policy.classify[0].when.status must be a whole number from 100 to 599; got 404.5",
    ],
    [
      [{ name: "n", when: { code: "" }, kind: "server" }],
      'policy.classify[0].when.code must be a non-empty string; got ""',
    ],
    [
      [{ name: "n", when: { text: 5 }, kind: "server" }],
      "policy.classify[0].when.text must be a non-empty string; got 5",
    ],
    [
      [{ name: "n", when: { provider: "" }, kind: "server" }],
      'policy.classify[0].when.provider must be a non-empty string; got ""',
    ],
    [[{ when: { status: 404 }, kind: "server" }], "policy.classify[0].name must be a string; got undefined"],
    [
      [
        { name: "good", when: { status: 404 }, kind: "server" },
        { name: "n", when: { status: 404 }, kind: "oops" },
      ],
      `policy.classify[1].kind must be one of ${kinds}; got "oops"`,
    ],
    [
      [{ name: "n", when: { status: 404 }, kind: "server", retryable: "no" }],
      'policy.classify[0].retryable must be true or false; got "no"',
    ],
  ])("E1: refuses the classification %j", (classify, message) => {
    expect(refused({ classify })).toBe(message);
  });

  test("E1: a classification rule contains only the fields that were given", () => {
    const classify = [{ name: "n", when: { text: "x", code: undefined }, kind: "server", retryable: undefined }];
    const policy = definePolicy({ classify } as unknown as PolicyInput);
    expect(policy.classify).toStrictEqual([{ name: "n", when: { text: "x" }, kind: "server" }]);
  });

  test.each<[unknown, string]>([
    ["x", 'policy.require must be an object; got "x"'],
    [{}, "policy.require.text must be a non-empty string; got undefined"],
    [{ text: "" }, 'policy.require.text must be a non-empty string; got ""'],
    [{ pattern: "" }, 'policy.require.pattern must be a non-empty string; got ""'],
    [{ pattern: 1 }, "policy.require.pattern must be a non-empty string; got 1"],
    [{ pattern: "a", flags: 1 }, "policy.require.flags must be a string; got 1"],
    [{ text: "a", flags: "i" }, 'policy.require.flags must be omitted (known fields: text); got "i"'],
    [{ text: "a", pattern: "b" }, 'policy.require.text must be omitted (known fields: pattern, flags); got "a"'],
    [{ regex: "a" }, 'policy.require.regex must be omitted (known fields: text, pattern, flags); got "a"'],
  ])("T6: refuses the requirement %j", (require, message) => {
    expect(refused({ require })).toBe(message);
  });

  test("T6: takes a text, a pattern, and a pattern with flags", () => {
    expect(definePolicy({ require: { text: "```json" } }).require).toStrictEqual({ text: "```json" });
    expect(definePolicy({ require: { pattern: "\\d" } }).require).toStrictEqual({ pattern: "\\d" });
    expect(definePolicy({ require: { pattern: "\\d", flags: "" } }).require).toStrictEqual({
      pattern: "\\d",
      flags: "",
    });
  });
});

describe("a policy made ready", () => {
  test("E20: is made ready once", () => {
    const policy = definePolicy(FULL);
    expect(preparePolicy(policy)).toBe(preparePolicy(policy));
    expect(preparePolicy(definePolicy(FULL))).not.toBe(preparePolicy(policy));
  });

  test("E12: rules point at their schedules, and those that wait for nothing at none", () => {
    const prepared = preparePolicy(definePolicy(FULL));
    expect(prepared.policy.name).toBe("full");
    expect(prepared.scheduleNames).toEqual(["general", "slow"]);
    expect(prepared.schedules.map((schedule) => schedule.maxRetries)).toEqual([7, 17]);
    expect(prepared.rules.server).toEqual({
      action: "retry",
      schedule: "slow",
      delay: "none",
      when: "always",
      scheduleIndex: 1,
    });
    expect(prepared.rules.timeout.scheduleIndex).toBe(0);
    expect(prepared.rules.context_overflow).toEqual({ action: "stop", scheduleIndex: -1 });
    expect(prepared.statuses.get(429)).toEqual({ ...GENERAL_RETRY, scheduleIndex: 0 });
    expect([...prepared.statuses.keys()]).toEqual([418, 429]);
    expect(prepared.filterIds).toEqual(new Set(["", "b"]));
    expect(preparePolicy(definePolicy({})).filterIds).toEqual(new Set());
  });

  test("E12: a schedule that makes no sense is named when a policy was made by hand", () => {
    const broken = { ...BASE_POLICY, schedules: { general: { type: "fixed", delayMs: -1 } } } as Policy;
    expect(() => preparePolicy(broken)).toThrow(
      expect.objectContaining({ message: expect.stringContaining("policy.schedules.general.delayMs must be") }),
    );
  });

  test("E12: knows a finished policy from anything else", () => {
    const policy = definePolicy({});
    expect(isPolicy(policy)).toBe(true);
    for (const other of [{ ...policy }, {}, null, undefined, "default", 5]) expect(isPolicy(other)).toBe(false);
  });
});
