import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Head, readHead as readBytes, UnreadableAnswer } from "../../../src/gateway/upstream/read-head.ts";

const head = (...lines: readonly string[]): string => ["HTTP/1.1 200 OK", ...lines].join("\r\n");

function readHead(text: string, method: string): Head {
  const bytes = Buffer.from(`${text}\r\n\r\nbody`, "latin1");
  return readBytes(bytes, text.length, method);
}

describe("E15b: the head of an endpoint's answer", () => {
  test("E15b: keeps names and values as they came", () => {
    const read = readHead(head("Content-Type: text/plain", "x-a:b", "X-Empty:", "x-space:  two  words  "), "POST");
    expect(read).toMatchObject({ status: 200, statusText: "OK", framing: "close", isKept: false });
    expect(read.rawHeaders).toEqual(["Content-Type", "text/plain", "x-a", "b", "X-Empty", "", "x-space", "two  words"]);
  });

  test.each([
    ["a length", head("content-length: 12"), { framing: "length", length: 12, isKept: true }],
    ["chunks", head("Transfer-Encoding: Chunked"), { framing: "chunked", isKept: true }],
    ["neither", head(), { framing: "close", isKept: false }],
    ["no content", "HTTP/1.1 204 No Content\r\ncontent-length: 5", { framing: "none" }],
    ["not modified", "HTTP/1.1 304 Not Modified", { framing: "none", isKept: true }],
    ["a close", head("content-length: 1", "connection: close"), { isKept: false }],
    ["an old server", "HTTP/1.0 200 OK\r\ncontent-length: 1", { isKept: false }],
    [
      "an old server that keeps the connection",
      "HTTP/1.0 200 OK\r\nconnection: Keep-Alive\r\ncontent-length: 1",
      { isKept: true },
    ],
    [
      "a limit for idle connections",
      head("content-length: 1", "Keep-Alive: timeout=5, max=100"),
      { isKept: true, keptMs: 5000 },
    ],
    ["no reason", "HTTP/1.1 500\r\ncontent-length: 1", { status: 500, statusText: "" }],
  ])("E15b: reads an answer with %s", (_, text, wanted) => {
    expect(readHead(text, "POST")).toMatchObject(wanted);
  });

  test("E15b: a HEAD has no body, whatever its length", () => {
    expect(readHead(head("content-length: 12"), "HEAD").framing).toBe("none");
  });

  test.each([
    ["two content-lengths", head("content-length: 1", "content-length: 1")],
    ["a length and chunks", head("content-length: 1", "transfer-encoding: chunked")],
    ["two transfer-encodings", head("transfer-encoding: chunked", "transfer-encoding: chunked")],
    ["another transfer-encoding", head("transfer-encoding: gzip, chunked")],
    ["a negative length", head("content-length: -1")],
    ["a length with a sign", head("content-length: +1")],
    ["a length of hex digits", head("content-length: 0x10")],
    ["a length of two numbers", head("content-length: 1, 1")],
    ["no length", head("content-length:")],
    ["a folded header", head("x-a: b", " c")],
    ["a space before the colon", head("x-a : b")],
    ["a header without a colon", head("x-a")],
    ["a name with a space", head("x a: b")],
    ["a bare LF", head("x-a: b\nx-b: c")],
    ["a bare CR", head("x-a: b\rx-b: c")],
    ["a NUL", head("x-a: b\0")],
    ["chunks of an old server", "HTTP/1.0 200 OK\r\ntransfer-encoding: chunked"],
    ["another protocol", "RTSP/1.0 200 OK"],
    ["a status of two digits", "HTTP/1.1 20 OK"],
    ["HTTP/2", "HTTP/2 200"],
    ["a page", "<html>"],
    ["nothing", ""],
  ])("E15b: refuses an answer with %s", (_, text) => {
    expect(() => readHead(text, "POST")).toThrow(UnreadableAnswer);
  });

  test("E7: no text makes it fail otherwise", () => {
    const part = fc.constantFrom(
      "HTTP/1.1 200 OK",
      "\r\n",
      "content-length",
      ":",
      " ",
      "\r",
      "\n",
      "0",
      "chunked",
      "\0",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string({ unit: "binary" })), { maxLength: 30 }), (parts) => {
        try {
          const { rawHeaders } = readHead(parts.join(""), "POST");
          expect(rawHeaders.length % 2).toBe(0);
          expect(rawHeaders.join("")).not.toMatch(/[\r\n\0]/);
        } catch (fault) {
          expect(fault).toBeInstanceOf(UnreadableAnswer);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
