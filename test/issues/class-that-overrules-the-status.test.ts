import { expect, test } from "vitest";
import { classify } from "../../src/index.ts";

// ofetch calls every answer with a failing status a FetchError. The class was taken for a broken connection, and a bad key was repeated.
const thrown = (name: string, facts: object): Error => Object.assign(new Error("x"), { name, ...facts });

test.each([
  [400, "bad_request", false],
  [401, "auth", false],
  [403, "permission", false],
  [404, "not_found", false],
  [422, "bad_request", false],
  [429, "rate_limit", true],
  [500, "server", true],
  [503, "overloaded", true],
] as const)(
  "E1: the class of a client's error says less than the status %i that the error carries",
  (status, kind, retryable) => {
    const response = { status, headers: {} };
    for (const name of ["FetchError", "ConnectionError", "TransportError", "StreamError", "InvalidResponseError"]) {
      for (const error of [
        thrown(name, { status, statusCode: status }),
        thrown(name, { response }),
        thrown(name, { cause: thrown("AI_APICallError", { statusCode: status }) }),
      ])
        expect(classify(error), `${name} with ${status}`).toMatchObject({ kind, retryable });
    }
  },
);

test("E1: an AI SDK's error without output is what its cause is", () => {
  const cause = thrown("AI_APICallError", { message: "Unauthorized", statusCode: 401 });
  const error = thrown("AI_NoOutputGeneratedError", { message: "No output generated.", cause });
  expect(classify(error)).toMatchObject({ kind: "auth", retryable: false });
});

test("E4: the same classes without a status are a broken connection or answer", () => {
  expect(classify(thrown("FetchError", {}))).toMatchObject({ kind: "network", retryable: true });
  expect(classify(thrown("AI_NoOutputGeneratedError", {}))).toMatchObject({ kind: "stream_broken", retryable: true });
  expect(classify(thrown("FetchError", { status: 200 }))).toMatchObject({ retryable: true });
});
