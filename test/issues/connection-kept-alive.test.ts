import { expect, test } from "vitest";
import { classify } from "../../src/index.ts";

// How long the server keeps an idle connection, in the headers of every answer of Node, Apache and nginx: no time limit has passed.
const KEEP_ALIVE = ["'keep-alive': 'timeout=5'", "'Keep-Alive': 'timeout=5, max=100'", '"keep-alive":"timeout=60"'];

test.each(KEEP_ALIVE)("E1: a printed 500 with the header %s is a server error, not a timeout", (header) => {
  for (const dump of [
    `InternalServerError: 500 The server had an error
    at generate (error.mjs:1:1) {
  status: 500,
  headers: Headers { 'content-type': 'text/plain', ${header}, 'x-request-id': 'req_1' },
  error: undefined
}`,
    `{ statusCode: 500, responseHeaders: { ${header}, connection: 'keep-alive' }, responseBody: 'Sorry about that!' }`,
  ])
    expect(classify({ body: dump }), dump).toMatchObject({ kind: "server", status: 500, retryable: true });
});

test("E1: a printed 400 on one line with such a header is a bad request, and is not retried", () => {
  const dump =
    "AI_APICallError: Invalid type for 'temperature' { url: 'http://127.0.0.1/v1/responses', requestBodyValues: { model: 'm', input: [ { role: 'user', content: [ { type: 'input_text', text: 'x' } ] } ] }, statusCode: 400, responseHeaders: { connection: 'keep-alive', 'keep-alive': 'timeout=5' }, isRetryable: false }";
  expect(classify({ body: dump })).toMatchObject({ kind: "bad_request", retryable: false });
});

test("E1: such a header among the raw lines of an answer says nothing either", () => {
  const raw =
    "HTTP/1.1 500 Internal Server Error\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5, max=100\r\n\r\nSorry!";
  expect(classify({ body: raw })).toMatchObject({ kind: "server", status: 500 });
});

test("E1: a timeout that has passed counts beside such a header", () => {
  const dump =
    "{ status: 500, headers: { 'keep-alive': 'timeout=5' }, error: { message: 'upstream request timeout' } }";
  expect(classify({ body: dump })).toMatchObject({ kind: "timeout" });
});
