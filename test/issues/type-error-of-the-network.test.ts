import { expect, test } from "vitest";
import { classify } from "../../src/index.ts";

// Browsers and React Native throw a TypeError for what the network does; some of their words were taken for a bug of the caller.
test.each([
  ["Error in input stream", "stream_broken", true],
  ["Error in body stream", "stream_broken", true],
  ["The request timed out.", "timeout", true],
  ["Network request timed out", "timeout", true],
  ["A server with the specified hostname could not be found.", "network", true],
  [
    "The certificate for this server is invalid. You might be connecting to a server that is pretending to be “a.example”",
    "network",
    false,
  ],
  ["Load failed", "network", true],
] as const)("E4: a TypeError %j is a fault of the network", (message, kind, retryable) => {
  expect(classify(new TypeError(message))).toMatchObject({ kind, retryable });
  expect(classify(`TypeError: ${message}`)).toMatchObject({ kind, retryable });
});

test.each([
  "Cannot read properties of undefined (reading 'timeout')",
  "options.timeout is not a function",
  "stream.on is not a function",
  "Cannot set properties of null (setting 'certificate')",
])("E4: a TypeError %j stays a bug of the caller", (message) => {
  expect(classify(new TypeError(message))).toMatchObject({ kind: "unknown", retryable: false });
});
