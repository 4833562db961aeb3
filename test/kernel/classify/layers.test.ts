import { describe, expect, test } from "vitest";
import { classify } from "../../../src/kernel/classify/classify.ts";
import { plainText } from "../../../src/kernel/classify/plain-text.ts";
import { textOfPage } from "../../../src/kernel/classify/text-of-page.ts";

const verdict = (problem: unknown, provider = "") => {
  const { kind, retryable, evidence } = classify(problem, { provider });
  return `${kind} ${retryable ? "retry" : "stop"} ${evidence}`;
};
const inside = (inner: unknown, prefix = "Error: ") => `${prefix}${JSON.stringify(inner)}`;

describe("the precedence between layers", () => {
  test("E1: a cause inside beats the status, the class and the code around it", () => {
    const denied = { error: { code: "access_denied", message: "no" } };
    expect(verdict({ status: 502, body: inside(denied) })).toBe("permission stop code:access_denied");
    expect(verdict(inside(denied, "litellm.RateLimitError: "))).toBe("permission stop code:access_denied");
    expect(verdict({ error: { type: "overloaded_error", message: inside(denied) } })).toBe(
      "permission stop code:access_denied",
    );
  });

  test("E1: the innermost of several causes counts", () => {
    const innermost = { error: { type: "overloaded_error" } };
    const middle = { error: { code: "invalid_api_key", message: inside(innermost) } };
    expect(verdict(inside(middle))).toBe("overloaded retry code:overloaded_error");
  });

  test("E1: a telling sentence inside is a cause as well", () => {
    const overflow = { error: { message: "maximum context length is 8192 tokens" } };
    expect(verdict({ status: 429, body: inside(overflow, "RateLimitError: ") })).toBe(
      "context_overflow stop text:context-overflow",
    );
  });

  test("E1: a cause around it beats a layer that only has a status", () => {
    expect(verdict(`insufficient_quota: ${JSON.stringify({ code: 400, message: "no" })}`)).toBe(
      "usage_limit stop code:insufficient_quota",
    );
  });

  test("E1: of two statuses the inner one counts, from its structure or from the words right in front of it", () => {
    expect(verdict({ status: 502, body: inside({ error: { code: 400, message: "no" } }) })).toBe(
      "bad_request stop status:400",
    );
    expect(verdict({ status: 502, body: inside({ error: { message: "no" } }, "Error code: 400 - ") })).toBe(
      "bad_request stop status:400",
    );
    expect(classify({ status: 502, body: inside({ error: { code: 400, message: "no" } }) }).status).toBe(502);
  });

  test("E1: a class of an SDK counts no more than the status that it wraps", () => {
    expect(verdict(inside({ error: { code: 400, message: "no" } }, "litellm.RateLimitError: "))).toBe(
      "bad_request stop status:400",
    );
  });

  test("E1: a layer without a status has that of the whole", () => {
    expect(verdict({ status: 503, body: inside({ error: { message: "no" } }) })).toBe("overloaded retry status:503");
  });

  test("E3: a status contradicts the codes of its own layer only", () => {
    const auth = { error: { type: "authentication_error", message: "no" } };
    expect(verdict({ status: 429, body: JSON.stringify(auth) })).toBe("rate_limit retry status:429");
    expect(verdict(inside(auth, "429 "))).toBe("rate_limit retry status:429");
    expect(verdict({ status: 429, body: inside(auth, "it failed: ") })).toBe("auth stop code:authentication_error");
  });

  test("E1: a vague code inside does not beat a status around it", () => {
    expect(verdict({ status: 429, body: inside({ error: { type: "invalid_request_error", message: "no" } }) })).toBe(
      "rate_limit retry status:429",
    );
  });

  test("E6: hints are read from every layer", () => {
    const limited = { error: { message: "slow down", retry_after: 7 } };
    expect(classify(inside(limited, "429 ")).hintMs).toBe(7000);
    expect(classify(inside({ message: inside(limited) })).hintMs).toBe(7000);
  });

  test("E2: of a mixed text the whole is the message, of JSON in JSON the innermost", () => {
    const inner = JSON.stringify({ error: { message: "inner" } });
    expect(classify(`429 ${inner}`).message).toBe(`429 ${inner}`);
    expect(classify({ error: { code: "x", message: inner } }).message).toBe("inner");
  });

  test("E1: words under unknown keys count where nothing else says anything", () => {
    expect(verdict(inside({ oops: "connection refused" }))).toBe("network retry text:network");
    expect(verdict({ streamed_data: inside({ error: { type: "overloaded_error" } }, "data: ") })).toBe(
      "overloaded retry code:overloaded_error",
    );
    expect(verdict({ short: "refused" })).toBe("unknown stop unknown");
  });
});

describe("a page", () => {
  test("E1: says what its text says", () => {
    expect(
      textOfPage("<html><body><h1>A &amp; B</h1>\n  <p>&lt;c&gt; &quot;d&quot; &#39;e&#39;</p></body></html>"),
    ).toBe("A & B\n<c> \"d\" 'e'");
  });

  test.each(["no page", "<html> without an end", "a < b </ c", '{"a":"<b></b>"}'])("E1: is not %j", (text) => {
    expect(textOfPage(text)).toBeUndefined();
  });
});

describe("a text for the wordings", () => {
  test.each([
    ["It\u2019s \u201cHere\u201d", 'it\'s "here"'],
    ["exceeded  your\n   limit", "exceeded your limit"],
    ["limited (not your usage limit) now", "limited () now"],
    ["This isn't a billing problem", "this  problem"],
    ["not your day", "not your day"],
    ["Stream disconnected before completion: Overloaded", "overloaded"],
    ["line\nbreak", "line\nbreak"],
  ])("E1: %j is %j", (text, expected) => {
    expect(plainText(text)).toBe(expected);
  });

  test("B2: a limit that is denied is none, an offer to upgrade beside the advice to wait neither", () => {
    expect(classify({ status: 429, body: "Limiting requests (not your usage limit)" }).kind).toBe("rate_limit");
    expect(classify({ status: 429, body: "Please wait and try again, or upgrade your plan" }).kind).toBe("rate_limit");
    expect(classify({ status: 429, body: "Limit hit. Upgrade your plan" }).kind).toBe("usage_limit");
  });
});
