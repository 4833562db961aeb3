/** Errors as the official SDKs and `fetch` throw them. Each has words of its own, so that no finding is recalled. */
export function sdkErrors(count: number): Readonly<Record<string, readonly unknown[]>> {
  const many = (make: (i: number) => unknown) => Array.from({ length: count }, (_, i) => make(i));
  return {
    "OpenAI 429": many(openai429),
    "OpenAI 500": many(openai500),
    "OpenAI 400": many(openai400),
    "Anthropic 529": many(anthropic529),
    "fetch failed": many(fetchFailed),
  };
}

function openai429(i: number): unknown {
  const message = `Rate limit reached for gpt-4o in organization org-${i} on tokens per min (TPM): Limit 30000, Used 29900, Requested 900. Please try again in 1.6s.`;
  const headers = new Headers({ "retry-after": "2", "x-ratelimit-limit-requests": "500" });
  const error = { message, type: "tokens", param: null, code: "rate_limit_exceeded" };
  return Object.assign(new Error(`429 ${message}`), {
    status: 429,
    headers,
    error,
    code: error.code,
    type: error.type,
  });
}

function openai500(i: number): unknown {
  const message = `The server had an error while processing your request ${i}. Sorry about that!`;
  return Object.assign(new Error(`500 ${message}`), {
    status: 500,
    headers: new Headers(),
    error: { message, type: "server_error" },
  });
}

function openai400(i: number): unknown {
  const message = `Invalid value ${i} for 'temperature'`;
  const error = { message, type: "invalid_request_error", param: "temperature", code: null };
  return Object.assign(new Error(`400 ${message}`), { status: 400, headers: new Headers(), error });
}

function anthropic529(i: number): unknown {
  const error = {
    type: "error",
    error: { type: "overloaded_error", message: `Overloaded ${i}` },
    request_id: `req_${i}`,
  };
  const headers = new Headers({ "x-should-retry": "true" });
  return Object.assign(new Error(`529 ${JSON.stringify(error)}`), { status: 529, headers, error });
}

function fetchFailed(i: number): unknown {
  const cause = Object.assign(new Error(`connect ECONNREFUSED 127.0.0.1:${i}`), { code: "ECONNREFUSED" });
  return new TypeError("fetch failed", { cause });
}
