import { describe, expect, test } from "vitest";
import { parsePaste } from "../../src/explain/parse-paste.ts";

describe("B1: whatever is pasted is understood", () => {
  test("B1: a bare message is a body", () => {
    expect(parsePaste("  Too many requests\n")).toEqual({ body: "Too many requests" });
  });

  test("B1: a JSON body is a body", () => {
    const body = '{"error":{"message":"Overloaded","type":"overloaded_error"}}';
    expect(parsePaste(body)).toEqual({ body });
  });

  test("B1: what `curl -i` prints has status, headers and body", () => {
    const paste = 'HTTP/1.1 429 Too Many Requests\r\nRetry-After: 30\r\nX-Empty:\r\n\r\n{"error":"slow\ndown"}\r\n';
    expect(parsePaste(paste)).toEqual({
      status: 429,
      headers: { "retry-after": "30", "x-empty": "" },
      body: '{"error":"slow\ndown"}',
    });
  });

  test("B1: HTTP/2 has no reason phrase", () => {
    expect(parsePaste("HTTP/2 529 \nretry-after: 3\n\n")).toEqual({ status: 529, headers: { "retry-after": "3" } });
  });

  test("B1: the last answer counts, after proxies, continues and redirects", () => {
    const paste =
      "HTTP/1.1 200 Connection established\n\nHTTP/1.1 307 Temporary Redirect\nlocation: /x\n\nHTTP/1.1 503 Service Unavailable\nserver: b\n\ndown";
    expect(parsePaste(paste)).toEqual({ status: 503, headers: { server: "b" }, body: "down" });
  });

  test("B1: the blank line before the body may be missing", () => {
    expect(parsePaste('HTTP/1.1 429 Too Many Requests\nretry-after: 30\n{"error":1}')).toEqual({
      status: 429,
      headers: { "retry-after": "30" },
      body: '{"error":1}',
    });
  });

  test("B1: of a repeated header the first counts, and no name is special", () => {
    expect(parsePaste("HTTP/1.1 429 X\nretry-after: 1\nRetry-After: 2\n__proto__: x\n\n")).toEqual({
      status: 429,
      headers: Object.fromEntries([
        ["retry-after", "1"],
        ["__proto__", "x"],
      ]),
    });
  });

  test("B1: `curl -v` loses its marks, its remarks and the request", () => {
    const paste =
      "* Connected\n> POST /v1 HTTP/2\n> authorization: Bearer sk-secret\n>\n< HTTP/2 429 \n< retry-after: 7\n<\n* done\nslow down";
    expect(parsePaste(paste)).toEqual({ status: 429, headers: { "retry-after": "7" }, body: "slow down" });
  });

  test("B1: an object with status, headers and body is taken apart", () => {
    expect(parsePaste('{"provider":"groq","status":413,"headers":{"a":"b"},"body":{"error":"x"}}')).toEqual({
      provider: "groq",
      status: 413,
      headers: { a: "b" },
      body: { error: "x" },
    });
    expect(parsePaste('{"status":429}')).toEqual({ status: 429 });
    expect(parsePaste('{"status":null,"body":"x"}')).toEqual({ body: "x" });
  });

  test("B1: takes a response body that has a status field for a body", () => {
    expect(parsePaste('{"status":"error"}')).toEqual({ body: '{"status":"error"}' });
    expect(parsePaste('{"status":429,"title":"Slow"}')).toEqual({ body: '{"status":429,"title":"Slow"}' });
  });

  test("B1: an envelope with a wrong field names it", () => {
    expect(() => parsePaste('{"status":"429","body":"x"}')).toThrow(
      'status must be a whole number from 100 to 599; got "429"',
    );
    expect(() => parsePaste('{"headers":[],"body":"x"}')).toThrow("headers must be an object; got an array");
    expect(() => parsePaste('{"headers":{"a":{}}}')).toThrow(
      "headers.a must be a string, a number or a list of strings; got an object",
    );
  });

  test("B1: a body of 10 MB is parsed", () => {
    const large = JSON.stringify({ error: { message: "Overloaded", echo: "x".repeat(10_000_000) } });
    expect(parsePaste(large).body).toMatchObject({ error: { message: "Overloaded" } });
  });
});
