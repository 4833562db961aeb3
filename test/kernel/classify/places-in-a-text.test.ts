import { describe, expect, test } from "vitest";
import { codeInText } from "../../../src/kernel/classify/find-code.ts";
import { findReason } from "../../../src/kernel/classify/find-reason.ts";
import { findStatus, reportedStatus } from "../../../src/kernel/classify/find-status.ts";
import { numberInText } from "../../../src/kernel/classify/numeric-codes.ts";
import { plainText } from "../../../src/kernel/classify/plain-text.ts";
import { textOfPage } from "../../../src/kernel/classify/text-of-page.ts";

describe("a status in a text", () => {
  test.each([
    ["Proxy said 502 Bad Gateway after status code 404", 502],
    ["It got status code 404, then 502 Bad Gateway", 404],
    ["It got status code 404", 404],
    ["Proxy said 502 Bad Gateway", 502],
  ])("E1: is the first one: %s", (text, status) => {
    expect(findStatus(text)).toBe(status);
  });

  test.each([
    [undefined, undefined],
    [400, 404],
    [401, 401],
    [499, 499],
    [500, 404],
    [503, 404],
  ])("E1: explains a 400 and a 5xx, and nothing else: %s", (outer, status) => {
    expect(reportedStatus(outer, "Error code: 404 - no such thing")).toBe(status);
  });
});

describe("a provider's number in a text", () => {
  test("E1: is the first one that the provider has", () => {
    expect(numberInText("since (2024): insufficient balance (1008)", "minimax")).toBe("1008");
    expect(numberInText("since (2024): insufficient balance (1008)", "openai")).toBeUndefined();
    expect(numberInText("insufficient balance (1008)", "")).toBeUndefined();
  });

  test("E7: is looked for at eight places", () => {
    expect(numberInText(`${"(2024)".repeat(7)}(1008)`, "minimax")).toBe("1008");
    expect(numberInText(`${"(2024)".repeat(8)}(1008)`, "minimax")).toBeUndefined();
  });
});

describe("a name that is made like a code", () => {
  test.each([
    ["RateLimitExceeded failed", "RateLimitExceeded"],
    ["RateLimitHandler failed", undefined],
    ["at throwIfRateLimitExceeded", undefined],
  ])("E1: is none if it is a part of a program: %s", (text, code) => {
    expect(codeInText(text, undefined)?.code).toBe(code);
  });
});

describe("a code in brackets", () => {
  test("E1: is one where no other word looks like a code", () => {
    expect(codeInText("[unavailable] come back", undefined)?.code).toBe("unavailable");
    expect(codeInText("unavailable: come back", undefined)).toBeUndefined();
  });

  test("E7: is looked for in the first 2,048 characters", () => {
    const code = "[unavailable]";
    expect(codeInText(code.padStart(2048), undefined)?.code).toBe("unavailable");
    expect(codeInText(code.padStart(2049), undefined)).toBeUndefined();
  });
});

describe("the reason behind a headline", () => {
  const HEAD = "It did not work. Reason: ";

  test.each([40, 4096])("E1: is found in a text of %i characters", (chars) => {
    const reason = "x".repeat(chars - HEAD.length);
    expect(findReason(HEAD + reason)).toBe(reason);
  });

  test.each([39, 4097])("E1: is not looked for in a text of %i characters", (chars) => {
    expect(findReason(HEAD + "x".repeat(chars - HEAD.length))).toBeUndefined();
  });

  test("E1: is what gRPC describes, in a text of 4,096 characters at most", () => {
    const head = "rpc error: code = Internal desc = ";
    const reason = "x".repeat(4096 - head.length);
    expect(findReason(head + reason)).toBe(reason);
    expect(findReason(`${head + reason}x`)).toBeUndefined();
  });

  test("E1: has eight characters at least", () => {
    const head = `Nothing at all did work today. ${HEAD}`;
    expect(findReason(`${head}12345678`)).toBe("12345678");
    expect(findReason(`${head}1234567`)).toBeUndefined();
  });

  test("E7: is looked for behind eight markers", () => {
    const text = Array.from({ length: 10 }, (_, i) => `Caused by: thing number ${i}.`).join("\n");
    expect(findReason(text)).toBe("thing number 7.\nCaused by: thing number 8.\nCaused by: thing number 9.");
  });
});

describe("a text as the wordings expect it", () => {
  test.each([
    ["请求 OpenAI 服务出错，请根据以下信息排查或重试 abc", " abc"],
    ["可能是密钥错误，也可能是请求过快", ""],
    ["It broke. This may be due to load or a bad key. Ask us", "it broke.  ask us"],
    ["Either the server is overloaded or there is an error", " there is an error"],
    ["stream disconnected before completion: gone", "gone"],
    ["[openai] Bad Request Error, gone", "gone"],
    ["a permission_denials: [] b", "a  b"],
    ["Expected one of `a`, `b`", ""],
    ["It is not your usage limit, but ours", "it is , but ours"],
    ["It’s  “odd”\n  here", `it's "odd" here`],
  ])("E1: leaves out what is no statement: %s", (text, plain) => {
    expect(plainText(text)).toBe(plain);
  });
});

describe("a page", () => {
  test("E1: is read one piece a line, without tags", () => {
    expect(textOfPage("<html><h1>One</h1><p>Two &amp; &lt;3&gt;</p></html>")).toBe("One\nTwo & <3>");
  });

  test("E7: is read and recognised in its first 32,768 characters", () => {
    expect(textOfPage(`<html>${"x".repeat(40_000)}</html>`)).toHaveLength(32_768 - "<html>".length);
    expect(textOfPage(`${"x".repeat(32_768)}<html></html>`)).toBeUndefined();
  });
});
