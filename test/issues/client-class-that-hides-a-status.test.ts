import { describe, expect, test } from "vitest";
import { classify, run } from "../../src/index.ts";

/** What ofetch throws for every answer that is not ok, and Nuxt's `$fetch` with it. Its fields are getters. */
function ofetchError(status: number, statusText: string, data: unknown = {}): Error {
  const error = new Error(`[POST] "http://localhost/v1/chat/completions": ${status} ${statusText}`);
  error.name = "FetchError";
  const fields = { status, statusCode: status, statusText, data };
  for (const [name, value] of Object.entries(fields)) Object.defineProperty(error, name, { get: () => value });
  return error;
}

describe("an error whose class says network though an answer came", () => {
  test.each([
    [400, "Bad Request", "bad_request"],
    [401, "Unauthorized", "auth"],
    [403, "Forbidden", "permission"],
    [404, "Not Found", "not_found"],
    [422, "Unprocessable Entity", "bad_request"],
    [429, "Too Many Requests", "rate_limit"],
    [500, "Internal Server Error", "server"],
    [503, "Service Unavailable", "overloaded"],
  ])("E1: ofetch's FetchError with the status %i (%s) is judged by the status", (status, statusText, kind) => {
    expect(classify(ofetchError(status, statusText))).toMatchObject({ kind, status, evidence: `status:${status}` });
  });

  test("E1: a cut answer behind a 500 is still stream_broken", () => {
    const error = Object.assign(new Error("stream closed before message_stop"), { name: "StreamError", status: 500 });
    expect(classify(error)).toMatchObject({ kind: "stream_broken", retryable: true });
  });

  test("E4: a bad request through ofetch is called once", async () => {
    let calls = 0;
    const result = await run(() => {
      calls += 1;
      throw ofetchError(400, "Bad Request", { error: { message: "max_tokens must be at least 1" } });
    });
    expect(result).toMatchObject({ ok: false, reason: "not-retryable" });
    expect(calls).toBe(1);
  });

  test.each([
    ["ofetch without an answer", ofetchLost()],
    [
      "a proxy that could not connect",
      Object.assign(new Error("connect ECONNREFUSED"), { name: "FetchError", status: 502 }),
    ],
  ])("E4: %s is still a network failure", (_, error) => {
    expect(classify(error)).toMatchObject({ kind: "network", retryable: true });
  });
});

function ofetchLost(): Error {
  const cause = new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ECONNREFUSED" }) });
  const error = new Error('[POST] "http://localhost/v1": <no response> fetch failed', { cause });
  error.name = "FetchError";
  return error;
}
