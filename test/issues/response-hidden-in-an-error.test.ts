import { describe, expect, test } from "vitest";
import { resilient, run, SecondwindError } from "../../src/index.ts";

const POLICY = { schedules: { general: { type: "fixed", delayMs: 0, atMost: 1 } } } as const;
const BODY = { error: { message: "You exceeded your current quota", code: "insufficient_quota" } };
const HEADERS = { "retry-after": "30" };

class HTTPError extends Error {
  override readonly name = "HTTPError";
}

/** As got, ofetch and others do, so that an error is short when it is printed. */
function hide(error: Error, fields: Readonly<Record<string, unknown>>): Error {
  for (const [name, value] of Object.entries(fields)) Object.defineProperty(error, name, { value, enumerable: false });
  return error;
}

async function judge(problem: unknown) {
  const result = await run(() => Promise.reject(problem), { policy: { enabled: false } });
  return result.ok ? undefined : result.failure;
}

describe("an error that hides the response it is about", () => {
  test("E6: the wait in the headers of got's response is read, and its body", async () => {
    const error = hide(
      new HTTPError("Request failed with status code 429 (Too Many Requests): GET http://localhost/"),
      {
        response: { statusCode: 429, headers: HEADERS, body: JSON.stringify(BODY) },
      },
    );
    expect(await judge(error)).toMatchObject({ kind: "usage_limit", status: 429, hintMs: 30_000 });
  });

  test("E1: the data of ofetch's error decides, and the headers of its response are read", async () => {
    const error = hide(new HTTPError('[GET] "http://localhost/": 429 Too Many Requests'), {
      status: 429,
      data: BODY,
      response: new Response(null, { status: 429, headers: HEADERS }),
    });
    expect(await judge(error)).toMatchObject({ kind: "usage_limit", status: 429, hintMs: 30_000 });
  });
});

describe("a Response that is thrown", () => {
  const overloaded = () => new Response("Busy", { status: 503, statusText: "Service Unavailable", headers: HEADERS });

  test("E2: its message is its status line, not the methods of its unread body", async () => {
    const failure = await judge(overloaded());
    expect(failure).toMatchObject({ kind: "overloaded", hintMs: 30_000, message: "HTTP 503 Service Unavailable" });
    expect(await judge(new Response("Busy", { status: 503 }))).toMatchObject({ message: "HTTP 503" });
  });

  test("E2: it is thrown on as it is, with its body unread, if nothing was retried", async () => {
    const refused = new Response("Bad", { status: 400 });
    const ask = resilient(() => Promise.reject(refused), POLICY);
    await expect(ask()).rejects.toBe(refused);
    expect(await refused.text()).toBe("Bad");
  });

  test("E2: after retries the error has that message, and the Response as its cause", async () => {
    const ask = resilient(() => Promise.reject(overloaded()), { ...POLICY, honourHints: false });
    const error = await ask().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SecondwindError);
    expect(error).toMatchObject({ message: expect.stringMatching(/^HTTP 503 Service Unavailable \(/) });
    expect((error as SecondwindError).cause).toBeInstanceOf(Response);
  });
});
