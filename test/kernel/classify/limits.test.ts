import { describe, expect, test } from "vitest";
import { classify } from "../../../src/kernel/classify/classify.ts";

const verdict = (problem: unknown, provider = "") => {
  const { kind, scope, retryable, evidence } = classify(problem, { provider });
  return `${kind} ${scope} ${retryable ? "retry" : "stop"} ${evidence}`;
};
const at = (status: number, body: unknown, headers = {}) => ({ status, headers, body });

describe("E3 phrases", () => {
  test.each([
    "Rate limit",
    "RATE LIMIT hit",
    "Too Many Requests",
    "too many requests!",
    "rate_limit",
    "you are rate-limited",
  ])("E3: %s is a rate limit in any case, without a status", (message) => {
    expect(classify(message)).toMatchObject({ kind: "rate_limit", retryable: true });
  });

  test.each(["Usage limit reached", "USAGE LIMIT", "Quota exceeded", "quota exceeded for the project"])(
    "E3: %s is a used up quota",
    (message) => {
      expect(verdict(message)).toBe("usage_limit credential stop quota:plan");
    },
  );

  test.each([400, 403, 500, 502, 503])("E3: the phrase counts behind a %i too", (status) => {
    expect(verdict(at(status, "Rate limit exceeded"))).toBe("rate_limit credential retry text:rate-limit");
    expect(verdict(at(status, "Quota exceeded"))).toBe("usage_limit credential stop quota:plan");
  });
});

describe("quota or throttle", () => {
  const SAME = "You exceeded your current quota, please check your plan and billing details.";

  test("B2: the same sentence means different things at different providers", () => {
    expect(verdict(at(429, { error: { message: SAME, code: "insufficient_quota" } }), "openai")).toBe(
      "usage_limit credential stop code:insufficient_quota",
    );
    expect(verdict(at(429, { error: { message: SAME, code: "insufficient_quota" } }), "dashscope")).toBe(
      "rate_limit credential retry quota:alibaba-throttle",
    );
    expect(
      verdict(at(429, { error: { message: `${SAME} See https://help.aliyun.com/x`, code: "insufficient_quota" } })),
    ).toBe("rate_limit credential retry quota:alibaba-throttle");
    expect(verdict(at(429, { error: { message: "Free allocated quota exceeded." } }), "dashscope")).toBe(
      "usage_limit credential stop quota:free-tier",
    );
  });

  test.each([
    [
      "PerDay wins over PerMinute",
      ["XPerMinutePerProject", "XPerDayPerProject"],
      "usage_limit credential stop quota:period",
    ],
    [
      "PerMinute is a throttle",
      ["GenerateRequestsPerMinutePerProject-FreeTier"],
      "rate_limit credential retry quota:rate",
    ],
    ["PerModel limits the model only", ["InputTokensPerModelPerMinute"], "rate_limit model retry quota:rate"],
  ])("B2: Google's quota names decide: %s", (_, ids, expected) => {
    const details = [{ violations: ids.map((quotaId) => ({ quotaId })) }];
    expect(verdict(at(429, { error: { code: 429, message: SAME, status: "RESOURCE_EXHAUSTED", details } }))).toBe(
      expected,
    );
  });

  test("B2: a quota's limit in the metadata counts like its name, and what is no text is ignored", () => {
    const body = (quota_limit: unknown) => ({ error: { message: "x", details: [{ metadata: { quota_limit } }] } });
    expect(verdict(at(429, body("RequestsPerDay")))).toBe("usage_limit credential stop quota:period");
    expect(verdict(at(429, body(5)))).toBe("rate_limit credential retry status:429");
  });

  test.each([
    ["Your credit balance is too low to access the API", 400],
    ["Insufficient balance. Manage your billing here", 401],
    ["You have run out of credits", 403],
    ["用户额度不足", 403],
    ["您的账户已欠费，请充值后重试", 429],
    ["This request would exceed your account's monthly spend limit", 429],
    ["Budget has been exceeded! Current cost: 10, Max budget: 9", 400],
    ["Billing hard limit has been reached", 400],
    ["not enough credits", 500],
    ["Payment required", 503],
  ])("B2: money stops, behind any status: %s (%i)", (message, status) => {
    expect(verdict(at(status, message))).toBe("usage_limit credential stop quota:money");
  });

  test("B2: money stops without a status, too", () => {
    expect(verdict("Your account has insufficient credits.")).toBe("usage_limit credential stop quota:money");
    expect(verdict("余额不足")).toBe("usage_limit credential stop quota:money");
  });

  test.each([
    ["Quota exceeded for limit: 0", "usage_limit credential stop quota:none"],
    ["Quota exceeded, limit: 0.5. Please retry in 59s.", "rate_limit credential retry quota:short-wait"],
    ["Quota exceeded, limit: 0,5. Please retry in 59s.", "rate_limit credential retry quota:short-wait"],
    ["Quota exceeded, limit: 05. Please retry in 59s.", "rate_limit credential retry quota:short-wait"],
    ["you have a quota of 0", "usage_limit credential stop quota:none"],
  ])("B2: a quota of nothing never comes back: %s", (message, expected) => {
    expect(verdict(at(429, message))).toBe(expected);
  });

  test.each([
    [
      "Rate limit reached for model `x` on TPM: Limit 7000, Used 0, Requested ~12903.",
      "rate_limit model stop quota:never-fits",
    ],
    ["on TPM: Limit 30,000, Used 1, Requested 45,210.", "rate_limit credential stop quota:never-fits"],
    ["on TPM: Limit 30000, Used 6899, Requested 24050.", "rate_limit credential retry quota:rate"],
    ["on TPM: Limit 200, Used 200, Requested 200.", "rate_limit credential retry quota:rate"],
    ["on TPM: Limit 0, Used 0, Requested 5.", "usage_limit credential stop quota:none"],
  ])("B2: a request that can never fit is hopeless: %s", (message, expected) => {
    expect(verdict(at(429, message))).toBe(expected);
  });

  test("B2: Groq's 413 is a throttle that counts tokens; any other 413 is too large", () => {
    const tpm =
      "Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 7934, please reduce your message size";
    expect(verdict(at(413, tpm))).toBe("rate_limit model stop quota:never-fits");
    expect(verdict(at(413, "Your token usage"))).toBe("context_overflow request stop status:413");
    expect(verdict(at(413, "The prompt is too long"))).toBe("context_overflow request stop status:413");
    expect(verdict(at(413, "The prompt is too long. Upgrade for more."))).toBe(
      "context_overflow request stop status:413",
    );
    expect(verdict({ status: 413, code: "request_too_large", message: "60 requests per minute" })).toBe(
      "context_overflow request stop code:request_too_large",
    );
  });

  test.each([
    ["you've reached your hourly usage limit, please wait or upgrade", "usage_limit credential stop quota:period"],
    ["Rate limit exceeded: free-models-per-day", "usage_limit credential stop quota:period"],
    ["on requests per day (RPD). Please try again in 7m12s.", "rate_limit credential retry quota:short-wait"],
    ["on requests per day (RPD). Please try again in 59m59s.", "rate_limit credential retry quota:short-wait"],
    ["on requests per day (RPD). Please try again in 1h.", "usage_limit credential stop quota:period"],
    ["Your quota will reset after 4m59s.", "rate_limit credential retry quota:short-wait"],
    ["Your quota will reset after 5m0s.", "usage_limit credential stop quota:plan"],
    [
      "You have exhausted your capacity on this model. Your quota will reset after 3h6m38s.",
      "usage_limit model stop quota:plan",
    ],
    ["Too many requests: you have exceeded your usage limits", "rate_limit credential retry status:429"],
    ["Too Many Requests: quota exceeded", "usage_limit credential stop quota:plan"],
    ["You've reached our limit of messages per 24 hours.", "usage_limit credential stop quota:period"],
    ["You've reached our limit of messages per hour.", "rate_limit credential retry quota:rate"],
    ["You have reached your request limit for the hour", "rate_limit credential retry quota:rate"],
    ["You exceeded the number of requests for the free trial.", "usage_limit credential stop quota:money"],
    ["You exceeded the requests per minute of the free trial.", "rate_limit credential retry quota:rate"],
    ["Your quota will reset after 0s.", "rate_limit credential retry quota:short-wait"],
    ["You exceeded your quota. Retry after a brief wait.", "rate_limit credential retry quota:short-wait"],
    [
      "200 requests per day. Try again in 7m12s. Add a payment method to raise it",
      "rate_limit credential retry quota:short-wait",
    ],
    ["Add a payment method. Try again in 7m12s.", "usage_limit credential stop quota:money"],
    ["Token limits are used up. Minute limit: 0 / 100. Day limit: 210 / 10.", "rate_limit credential retry status:429"],
    ["Token limit: 0", "usage_limit credential stop quota:none"],
    ["Upgrade to go on", "usage_limit credential stop quota:plan"],
    ["Free tier quota exceeded.", "usage_limit credential stop quota:free-tier"],
    ["Free tier quota exceeded. Please retry in 59s.", "rate_limit credential retry quota:short-wait"],
    ["Your plan allows 60 requests per minute. Upgrade for more.", "rate_limit credential retry quota:rate"],
    ["请求过于频繁", "rate_limit credential retry quota:rate"],
    ["今日使用次数已达上限", "usage_limit credential stop quota:period"],
  ])("B2: a plan's period stops, a short wait or a rate does not: %s", (message, expected) => {
    expect(verdict(at(429, message))).toBe(expected);
  });

  test.each([
    ["the service is temporarily out of capacity", "overloaded provider retry quota:capacity"],
    ["No capacity available", "overloaded model retry quota:capacity"],
    ["No team account is currently available", "overloaded model retry quota:capacity"],
    ["The upstream is temporarily unavailable", "overloaded model retry quota:capacity"],
    ["There is no account of this name, none available", "rate_limit credential retry status:429"],
    ["The model is overloaded", "overloaded model retry quota:capacity"],
    ["当前分组上游负载已饱和", "overloaded model retry quota:capacity"],
  ])("B2: capacity wording is an overload even behind a 429: %s", (message, expected) => {
    expect(verdict(at(429, message))).toBe(expected);
  });

  test("B2: a long wait on an account's limit is a used up plan, on a token rate it is not", () => {
    expect(verdict(at(429, "rate limited", { "retry-after": "3601" }))).toBe(
      "usage_limit credential stop quota:long-wait",
    );
    expect(verdict(at(429, "rate limited", { "retry-after": "3600" }))).toBe("rate_limit credential retry status:429");
    expect(verdict(at(429, "rate limited", { "retry-after": "3599" }))).toBe("rate_limit credential retry status:429");
    expect(verdict(at(429, "exceeded token rate limit. Please retry after 86400 seconds."))).toBe(
      "rate_limit credential retry quota:rate",
    );
  });

  test("B2: some limits are named by headers only", () => {
    expect(verdict(at(429, "rate limit exceeded", { "x-model-quota-remaining": "haiku=0,sonnet=42" }))).toBe(
      "usage_limit model stop header:x-model-quota-remaining",
    );
    expect(verdict(at(429, "rate limit exceeded", { "x-model-quota-remaining": "haiku=0.5,sonnet=42" }))).toBe(
      "rate_limit credential retry status:429",
    );
    expect(verdict(at(429, "x", { "x-codex-rate-limit-reached-type": "primary" }))).toBe(
      "usage_limit credential stop header:x-codex-rate-limit-reached-type",
    );
    expect(verdict(at(429, "x", { "anthropic-ratelimit-unified-status": "rejected" }))).toBe(
      "usage_limit credential stop header:anthropic-ratelimit-unified-status",
    );
    expect(verdict(at(429, "x", { "anthropic-ratelimit-unified-status": "allowed" }))).toBe(
      "rate_limit credential retry status:429",
    );
    expect(verdict(at(503, "x", { "anthropic-ratelimit-unified-status": "rejected" }))).toBe(
      "overloaded model retry status:503",
    );
  });

  test("B2: a 402 is a stop whatever its words", () => {
    expect(verdict(at(402, "Prompt tokens limit exceeded: 12026 > 10000 per minute"))).toBe(
      "usage_limit credential stop status:402",
    );
    expect(verdict(at(402, "The prompt is too long"))).toBe("usage_limit credential stop status:402");
  });

  test("B2: a code with the same meaning as the text is the evidence; a more specific text replaces it", () => {
    const limited = (message: string) => verdict({ status: 429, code: "rate_limit_exceeded", message });
    expect(limited("60 requests per minute")).toBe("rate_limit credential retry code:rate_limit_exceeded");
    expect(limited("on TPM: Limit 7000, Requested 12903")).toBe("rate_limit credential stop quota:never-fits");
    expect(verdict("Too many requests per minute")).toBe("rate_limit credential retry quota:rate");
  });
});

describe("faults behind the wrong status", () => {
  test.each([
    [400, "API key not valid. Please pass a valid API key.", "auth credential stop text:auth"],
    [403, "Invalid API key", "auth credential stop text:auth"],
    [400, "User location is not supported for the API use.", "permission credential stop text:permission"],
    [400, "This organization has been disabled.", "permission credential stop text:permission"],
    [403, "Your account was suspended for violating our policies", "permission credential stop status:403"],
    [400, "foo/bar is not a valid model ID", "not_found model stop text:not-found"],
    [400, "Model is unavailable.", "overloaded model retry text:overloaded"],
    [400, "Output blocked by content filtering policy", "content_filter request stop text:content-filter"],
    [
      403,
      "Your input was flagged for violence, it requires moderation",
      "content_filter request stop text:content-filter",
    ],
    [401, "Your request was flagged by our safety system", "auth credential stop status:401"],
    [
      404,
      "No endpoints available matching your guardrail restrictions and data policy.",
      "not_found model stop status:404",
    ],
    [403, "Your limit will reset in 13 minutes", "usage_limit credential stop quota:plan"],
    [403, "Daily request limit", "usage_limit credential stop quota:period"],
    [401, "You have a quota of 0", "usage_limit credential stop quota:none"],
    [400, "You have reached your daily limit", "usage_limit credential stop quota:period"],
    [400, "The daily limit must be a number", "bad_request request stop status:400"],
    [400, "Please upgrade your client", "bad_request request stop status:400"],
    [403, "100 requests per minute", "permission credential stop status:403"],
    [403, "Your plan has 100 requests per minute. Upgrade for more.", "permission credential stop status:403"],
    [403, "The prompt is too long", "permission credential stop status:403"],
    [400, "The prompt is too long", "context_overflow request stop text:context-overflow"],
    [429, "The prompt is too long", "context_overflow request stop text:context-overflow"],
    [
      500,
      "Failed to parse tool call arguments as JSON: [json.exception.parse_error.101]",
      "bad_request request stop text:request-fault",
    ],
    [503, "Failed to parse the model's state", "overloaded model retry status:503"],
    [500, "That model is currently overloaded", "overloaded model retry text:overloaded"],
    [500, "the request exceeds the available context size", "context_overflow request stop text:context-overflow"],
    [500, "Something about your account", "server provider retry status:500"],
  ])("B2: %i %s", (status, message, expected) => {
    expect(verdict(at(status, message))).toBe(expected);
  });

  test("B2: a code that names the reason is not overruled by text about something else", () => {
    expect(verdict({ status: 403, code: "AccessDeniedException", message: "blocked by policy" })).toBe(
      "permission credential stop code:AccessDeniedException",
    );
    expect(verdict({ status: 401, code: "invalid_api_key", message: "Incorrect API key provided" })).toBe(
      "auth credential stop code:invalid_api_key",
    );
    expect(verdict({ status: 403, code: 1220, message: "Invalid API key" }, "zhipu")).toBe(
      "permission credential stop code:1220",
    );
    expect(verdict({ status: 400, code: "INVALID_ARGUMENT", message: "API key not valid." })).toBe(
      "auth credential stop text:auth",
    );
    expect(verdict({ status: 400, code: "invalid_prompt", message: "Your prompt was flagged" })).toBe(
      "content_filter request stop text:content-filter",
    );
    expect(verdict({ code: "QUOTA_EXHAUSTED", status: 429, message: "The model has no capacity" })).toBe(
      "usage_limit credential stop code:QUOTA_EXHAUSTED",
    );
  });

  test.each([
    ["Stream idle timeout - partial response received", "timeout provider stop text:timeout"],
    ["Response stalled mid-stream. The response above may be incomplete.", "timeout provider stop text:timeout"],
    ["Stream idle timeout - no chunks received", "timeout provider retry text:timeout"],
  ])("E4: what the consumer has in part is not asked for again: %s", (message, expected) => {
    expect(verdict(message)).toBe(expected);
  });
});

describe("scope", () => {
  test.each([
    [at(429, "Rate limit reached for gpt-4o in organization org-x"), "model"],
    [at(429, "Rate limit reached for requests"), "credential"],
    [at(429, "limit for this model"), "model"],
    [at(503, "The service is unavailable"), "provider"],
    [at(503, "The model is loading"), "model"],
    [at(404, "The server has no such model"), "model"],
  ])("E2: reaches as far as the words say: %j", (problem, scope) => {
    expect(classify(problem).scope).toBe(scope);
  });
});
