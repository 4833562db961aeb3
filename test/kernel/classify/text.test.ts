import { describe, expect, test } from "vitest";
import { classify } from "../../../src/kernel/classify/classify.ts";

const verdict = (problem: unknown) => {
  const { kind, retryable, evidence } = classify(problem);
  return `${kind} ${retryable ? "retry" : "stop"} ${evidence}`;
};

describe("a status in a text", () => {
  test.each([
    ["Got response status 429", 429],
    ["Request rejected (429) · try later", 429],
    ["The upstream responded 429", 429],
    ["The endpoint returned a 429", 429],
    ["httpStatus: 429", 429],
    ["httpStatusCode: 429", 429],
    ["err: 429 x", 429],
    ["Not ok: 429", 429],
    ["It threw 429", 429],
    ["429 from upstream", 429],
    ["a 429 response", 429],
    ["POST https://api.example.com/v1/chat 429", 429],
    ["It failed with status Not Found", 404],
    ["Couldn't do it with these settings\nBad Request", 400],
    ["It went wrong\nGateway Timeout.", 504],
    ["502: failed, unexpected status code 429", 429],
    ['HTTP 502: {"error":1}', 502],
    ["Generate method error: Error: HTTP 429: {body}", 429],
    ['429 {"error":{}} retry-after-ms=5', 429],
    ["[429] Monthly", 429],
    ["429", 429],
    ["429 Too Many Requests", 429],
    ["429 too many requests", 429],
    ["503 - Server Overloaded", 503],
    ["429 当前分组", 429],
    ["Error code: 400 - {'error': 1}", 400],
    ["Request failed with status code 404", 404],
    ["API Error (500): x", 500],
    ["exceeded retry limit, last status: 429 Too Many Requests", 429],
    ["statusCode=503", 503],
    ['"status": 503', 503],
    ["HTTP/1.1 503 Service Unavailable", 503],
    ["Token refresh failed: 401", 401],
    ["<html><head><title>502 Bad Gateway</title>", 502],
    ["<title>example.com | 520: Web server</title>", 520],
    ["503 status code (no body)", 503],
    ["Server returned 401 — check it", 401],
    ["The answer has a status code of 400 and was not expected", 400],
    ["Invalid response object (HTTP response code was 400)", 400],
    ["POST http://x resulted in a `404 Not Found` response", 404],
    ["Oops: CAPIError: 400 The thing", 400],
    ["API Error · 403", 403],
    ["Not here, status [404].", 404],
    ["大模型应答报错.422错误详情", 422],
    ["请求失败，状态码：429", 429],
    ["Ошибка 500", 500],
    ["Fehler 502: x", 502],
    ["500, message='Internal Server Error', url='x'", 500],
    ["2026-11-18 03:52:26 ERROR llm:87 - 401 Wrong one", 401],
    ["Request failed: Unprocessable Entity, sorry", 422],
  ])("E1: is found where a status is meant: %s", (text, status) => {
    expect(classify(text).status).toBe(status);
    expect(classify({ status: 200, body: text }).status).toBe(status);
  });

  test.each([
    "Wrote 500 lines",
    "Limit 200, Used 429",
    "500 lines of code",
    "exit code 500",
    "error: 500 lines",
    "status 5000",
    "version 4.29",
    "HTTP 429.5",
    "code 500% sure",
    "took 502 ms",
    "status 302",
    "<title>Five 2024 things</title>",
    "Limit: 500 Used: 400",
    "max: 429 Items were read",
    "port 5000, line 404",
    "received 500 tokens",
    "returned 400 rows",
    "10.0.0.500 and 4.429",
  ])("E1: a bare number is none: %s", (text) => {
    expect(classify(text)).toMatchObject({ status: undefined, kind: "unknown", retryable: false, evidence: "unknown" });
  });

  test.each([
    ["Request Timeout", 408],
    ["Gone", 410],
    ["Method Not Allowed", 405],
    [" content too large ", 413],
    ["Unavailable For Legal Reasons", 451],
  ])("E1: a bare reason phrase is one: %s", (text, status) => {
    expect(classify(new Error(text)).status).toBe(status);
  });

  test("E1: a reason phrase inside a sentence is none", () => {
    expect(classify("The draft is gone").status).toBeUndefined();
    expect(classify("Locked out of the editor").status).toBeUndefined();
  });

  test("E1: does not replace the status that the structure gives", () => {
    expect(classify({ status: 500, body: "status 429" })).toMatchObject({ status: 500, kind: "server" });
  });
});

describe("wordings without status or code", () => {
  test.each([
    ["connection refused", "network retry text:network"],
    ["Connection reset by peer", "network retry text:network"],
    ["connection closed", "network retry text:network"],
    ["upstream connect error or disconnect/reset before headers", "network retry text:network"],
    ["reset before headers", "network retry text:network"],
    ["socket hang up", "network retry text:network"],
    ["other side closed", "network retry text:network"],
    ["fetch failed", "network retry text:network"],
    ["terminated", "network retry text:network"],
    ["Premature close", "stream_broken retry text:stream-broken"],
    ["getaddrinfo failed", "network retry text:network"],
    ["self-signed certificate in certificate chain", "network stop text:certificate"],
    ["timeout", "timeout retry text:timeout"],
    ["The operation timed out.", "timeout retry text:timeout"],
    ["请求超时", "timeout retry text:timeout"],
    ["Overloaded", "overloaded retry text:overloaded"],
    ["Service Unavailable", "overloaded retry text:overloaded"],
    ["server busy, please try again.  maximum pending requests exceeded", "overloaded retry text:overloaded"],
    ["无可用渠道", "overloaded retry text:overloaded"],
    ["Internal Server Error", "server retry text:server"],
    ["server error", "server retry text:server"],
    ["internal error", "server retry text:server"],
    ["Provider returned error", "server retry text:server"],
    ["You can retry your request", "server retry text:server"],
    ["retry delay", "server retry text:server"],
    ["Bad Gateway", "server retry text:server"],
    ["Web server is returning an unknown error", "server retry text:server"],
    ["stream ended before message_start", "stream_broken retry text:stream-broken"],
    ["stream closed before response.completed", "stream_broken retry text:stream-broken"],
    ["stream ended unexpectedly (no [DONE], no finish_reason)", "stream_broken retry text:stream-broken"],
    ["incomplete chunked read", "stream_broken retry text:stream-broken"],
    ["Unauthorized", "auth stop text:auth"],
    ["The security token included in the request is invalid", "auth stop text:auth"],
    ["无效的令牌", "auth stop text:auth"],
    ["Forbidden", "permission stop text:permission"],
    ["The 'X' model is not supported when using Codex with a ChatGPT account.", "permission stop text:permission"],
    ["Not Found", "not_found stop text:not-found"],
    ["The model `x` does not exist", "not_found stop text:not-found"],
    ["Bad Request", "bad_request stop text:bad-request"],
    ["生成 ID 'x' 的请求正在进行中", "bad_request stop text:bad-request"],
    ["The response was blocked.", "content_filter stop text:content-filter"],
    ["输入包含敏感内容", "content_filter stop text:content-filter"],
    ["Your account was banned for violating our policies", "permission stop text:permission"],
    ["Request was aborted.", "aborted stop text:aborted"],
    ["生成 ID 'x' 已停止", "aborted stop text:aborted"],
    ["Generate method error: 点击停止按钮", "aborted stop text:aborted"],
    ["The operation was aborted due to timeout", "timeout retry text:timeout"],
    ["[object Object]", "unknown stop unknown"],
    ["Unknown error occurred", "unknown stop unknown"],
    ["Something else", "unknown stop unknown"],
    ["", "unknown stop unknown"],
  ])("E4: %s", (text, expected) => {
    expect(verdict(text)).toBe(expected);
    expect(verdict(new Error(text))).toBe(expected);
  });
});

describe("an abort in words", () => {
  test.each([
    "This operation was aborted",
    "The operation was aborted.",
    "The operation was canceled.",
    "The user aborted a request.",
    "signal is aborted without reason",
    "Request cancelled by the user",
    "Generation aborted!",
    "cancelled",
    "canceled",
  ])("E13: is one as a bare text, which has no name to go by: %s", (text) => {
    expect(verdict(text)).toBe("aborted stop text:aborted");
    expect(verdict({ body: text })).toBe("aborted stop text:aborted");
  });

  test.each(["This operation was aborted", "The user aborted a request.", "cancelled", "The operation was canceled."])(
    "K2: is none in an error with another name: %s",
    (text) => {
      expect(classify(new Error(text))).toMatchObject({ kind: "unknown", evidence: "unknown" });
      expect(classify(new DOMException(text, "AbortError")).kind).toBe("aborted");
    },
  );

  test.each([
    "stream aborted by upstream",
    "Request aborted by the upstream server",
    "The request was cancelled by the gateway",
    "Generation was aborted by a remote peer",
    "operation canceled at the backend",
    "aborted",
    "Error: aborted",
  ])("K2: is none where the other side aborted: %s", (text) => {
    expect(verdict(text)).toBe("network retry text:network");
    expect(verdict(new Error(text))).toBe("network retry text:network");
  });

  test.each([
    "Request was aborted.",
    "Request was aborted.\nat once",
    "failed:\nRequest was aborted.",
    "Interrupted by user",
  ])("E13: is one in an error whose SDK gives it no name: %j", (text) => {
    expect(verdict(new Error(text))).toBe("aborted stop text:aborted");
  });

  test.each([
    "The request was aborted. Try later",
    "Request was aborted. It took too much",
    "Why the request was aborted",
  ])("K2: is none where it is only a part of the text: %s", (text) => {
    expect(classify(text).kind).not.toBe("aborted");
    expect(classify(new Error(text)).kind).not.toBe("aborted");
  });
});
