import { expect, test } from "vitest";
import { classify } from "../../src/index.ts";

// gRPC has one status for a used-up quota and for a message that is too large, which was repeated as a rate limit.
test.each([
  "8 RESOURCE_EXHAUSTED: Received message larger than max (5000000 vs 4194304)",
  "rpc error: code = ResourceExhausted desc = grpc: received message larger than max (5242880 vs. 4194304)",
  "rpc error: code = ResourceExhausted desc = trying to send message larger than max (5242880 vs. 4194304)",
  'status = StatusCode.RESOURCE_EXHAUSTED\n\tdetails = "Sent message larger than max (5000000 vs. 4194304)"',
])("E5: %j is an overflow", (text) => {
  expect(classify(text)).toMatchObject({ kind: "context_overflow", retryable: false });
});

test("E5: an error of grpc-js about a message that is too large is an overflow", () => {
  const details = "Received message larger than max (5000000 vs 4194304)";
  const error = Object.assign(new Error(`8 RESOURCE_EXHAUSTED: ${details}`), { code: 8, details });
  expect(classify(error)).toMatchObject({ kind: "context_overflow", retryable: false });
});

test("E13: a call that grpc-js has cancelled for its caller is aborted, one that the endpoint cancelled is not", () => {
  const cancelled = (details: string) => Object.assign(new Error(`1 CANCELLED: ${details}`), { code: 1, details });
  expect(classify(cancelled("Cancelled on client"))).toMatchObject({ kind: "aborted", retryable: false });
  expect(classify(cancelled("The server is shutting down"))).toMatchObject({ kind: "server", retryable: true });
});

test("E4: a body that does not have the length of its header is a fault of the request", () => {
  const cause = Object.assign(new Error("Request body length does not match content-length header"), {
    code: "UND_ERR_REQ_CONTENT_LENGTH_MISMATCH",
  });
  expect(classify(new TypeError("fetch failed", { cause }))).toMatchObject({ kind: "bad_request", retryable: false });
});
