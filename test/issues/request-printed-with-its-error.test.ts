import { inspect } from "node:util";
import { expect, test } from "vitest";
import { classify } from "../../src/index.ts";

// axios, got and the AI SDK keep the request in their errors, and a console or a log prints it: its words were taken for the endpoint's.
const PROMPTS = [
  "Explain: rate limit exceeded, try again in 30 s; quota exceeded",
  "It's called 'content_filter': the prompt was flagged; context length exceeded",
  "Our {template} says: insufficient balance, invalid api key",
];
const requestOf = (content: string): string =>
  JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content }] });

/** A console prints its name and its tag: `Object [AxiosHeaders] {}`. */
class AxiosHeaders {
  readonly accept = "application/json";
  readonly [Symbol.toStringTag] = "Headers";
}

function failed(name: string, status: number, facts: object): Error {
  return Object.assign(new Error(`Request failed with status code ${status}`), { name, ...facts });
}

function errorsWith(content: string, status: number): readonly Error[] {
  const body = requestOf(content);
  return [
    failed("AxiosError", status, {
      ...{ code: "ERR_BAD", status },
      config: { timeout: 0, headers: new AxiosHeaders(), method: "post", data: body },
    }),
    failed("HTTPError", status, { code: "ERR_NON_2XX_3XX_RESPONSE", options: { body, timeout: { request: 500 } } }),
    failed("AI_APICallError", status, {
      requestBodyValues: { model: "m", prompt: content, messages: [{ role: "user" }] },
      ...{ statusCode: status, responseBody: "" },
    }),
  ];
}

test.each([
  [401, "auth", false],
  [500, "server", true],
  [503, "overloaded", true],
] as const)("E1: a request that a console prints with a %i says nothing about it", (status, kind, retryable) => {
  for (const error of PROMPTS.flatMap((content) => errorsWith(content, status)))
    expect(classify({ body: inspect(error) }), inspect(error)).toMatchObject({ kind, retryable, hintMs: undefined });
});

// Node 24 prints the key of a symbol without brackets: the object around it was no object any more, and its words counted.
test.each([
  "[Symbol(Symbol.toStringTag)]",
  "Symbol(Symbol.toStringTag)",
  "[Symbol(headers map)]",
  "Symbol(headers map)",
])("E1: a request with %s as a key, as a console prints it, says nothing about its error", (key) => {
  const dump = `AxiosError: Request failed with status code 401
    at settle (axios.js:1:1) {
  code: 'ERR_BAD_REQUEST',
  config: {
    headers: Object [AxiosHeaders] {
      accept: 'application/json',
      ${key}: 'Headers'
    },
    method: 'post',
    data: '{"model":"m","messages":[{"role":"user","content":"rate limit exceeded, try again in 30 s"}]}'
  },
  status: 401
}`;
  expect(classify({ body: dump })).toMatchObject({ kind: "auth", retryable: false, hintMs: undefined });
});

test("E1: the answer behind an AI SDK error is read as Node 24 prints it", () => {
  const dump = `AI_APICallError: Too Many Requests
    at handler (index.mjs:1:1) {
  Symbol(vercel.ai.error): true,
  Symbol(vercel.ai.error.AI_APICallError): true,
  requestBodyValues: { model: 'm', prompt: 'What does context length exceeded mean?' },
  statusCode: 429,
  responseHeaders: { 'retry-after': '7' },
  isRetryable: true
}`;
  expect(classify({ body: dump })).toMatchObject({ kind: "rate_limit", status: 429, hintMs: 7000, retryable: true });
});

test.each([
  [401, "auth", false],
  [500, "server", true],
] as const)(
  "E1: a request in a line of a log, behind what the logger writes first, says nothing about its %i",
  (status, kind, retryable) => {
    for (const error of PROMPTS.flatMap((content) => errorsWith(content, status))) {
      const line = `2026-11-19 10:00:00 ERROR llm ${JSON.stringify({ msg: error.message, ...error })}`;
      expect(classify({ body: line }), line).toMatchObject({ kind, retryable, hintMs: undefined });
    }
  },
);

// OpenAI's Responses: the text is one level deeper than in chat completions.
test("E1: a request with parts, printed with a broken connection, says nothing about it", () => {
  const input = [{ role: "user", content: [{ type: "input_text", text: "Explain quota exceeded" }] }];
  const error = Object.assign(new Error("Cannot connect to API: read ECONNRESET"), {
    ...{
      name: "AI_APICallError",
      url: "https://api.openai.com/v1/responses",
      requestBodyValues: { model: "m", input },
    },
    ...{ statusCode: undefined, isRetryable: true },
  });
  expect(classify({ body: inspect(error, { depth: 8 }) })).toMatchObject({ kind: "network", retryable: true });
});

test("E1: the endpoint's words beside a printed request still count", () => {
  const [axios] = errorsWith(PROMPTS[0] ?? "", 429);
  const data = { error: { message: "You exceeded your current quota", code: "insufficient_quota" } };
  const error = Object.assign(axios as Error, { response: { status: 429, data } });
  expect(classify({ body: inspect(error, { depth: 4 }) })).toMatchObject({ kind: "usage_limit" });
  const answer = `upstream said body: '{"model":"m","error":"rate limit exceeded"}'`;
  expect(classify(answer)).toMatchObject({ kind: "rate_limit" });
});

// The last object of a dump was judged with the status and the wait of what stood in front of it.
test("E1: an object without any fact changes nothing about the error that it follows", () => {
  const azure =
    "Requests have exceeded token rate limit of your current OpenAI S0 pricing tier. Please retry after 86400 seconds.";
  const answer = JSON.stringify({ error: { code: "429", message: azure } });
  for (const dump of ["", "\n    at x {\n  status: undefined,\n  signal: undefined\n}", " { retries: 3 }"])
    expect(classify(`Error: ${answer}${dump}`), dump).toMatchObject({ kind: "rate_limit", retryable: true });
  const filtered = "400 litellm.BadRequestError: litellm.ContentPolicyViolationError: the response was filtered";
  expect(classify(`${filtered} {\n  status: undefined\n}`)).toMatchObject({ kind: "content_filter" });
});

test("E1: a time limit among the settings of a request has not passed", () => {
  const dump = (message: string) =>
    `Error: ${message} {\n  config: {\n    timeout: 30000,\n    signal: undefined\n  }\n}`;
  expect(classify(dump("connect ECONNREFUSED 127.0.0.1:1"))).toMatchObject({ kind: "network" });
  expect(classify(dump("Incorrect API key provided"))).toMatchObject({ kind: "auth" });
  expect(classify(dump("timeout of 30000ms exceeded"))).toMatchObject({ kind: "timeout" });
  expect(classify(JSON.stringify({ message: "boom", options: { timeout: 0 } }))).toMatchObject({ kind: "unknown" });
});

test("E1: what Rust prints of an unhandled `Err` is judged by the error in it", () => {
  const panic = (value: string) =>
    `thread 'main' panicked at src/main.rs:42:10:\ncalled \`Result::unwrap()\` on an \`Err\` value: ${value}`;
  const limited = 'ApiError(ApiError { message: "Rate limit reached. Please try again in 2s.", code: None })';
  expect(classify(panic(limited))).toMatchObject({ kind: "rate_limit", hintMs: 2000 });
  const refused =
    'hyper_util::client::legacy::Error(Connect, ConnectError("tcp connect error", Os { code: 111, kind: ConnectionRefused }))';
  expect(classify(panic(refused))).toMatchObject({ kind: "network" });
  expect(classify(panic("ParseIntError { kind: InvalidDigit }"))).toMatchObject({ kind: "unknown", retryable: false });
});
