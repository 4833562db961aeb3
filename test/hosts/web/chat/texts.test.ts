import { expect, test } from "vitest";
import { classifyMessage } from "../../../../src/hosts/web/pages/chat/conversation/classify-message.ts";
import { kindOf, loadClassifier } from "../../../../src/hosts/web/pages/chat/conversation/kind-of.ts";
import { CHAT_TEXTS } from "../../../../src/hosts/web/texts/chat.ts";
import { COMMON_TEXTS } from "../../../../src/hosts/web/texts/common.ts";
import { CONNECT_TEXTS } from "../../../../src/hosts/web/texts/connect.ts";
import { KIND_TEXTS } from "../../../../src/hosts/web/texts/kinds.ts";
import { FAILURE_KINDS } from "../../../../src/kernel/index.ts";

function words(texts: object): readonly (readonly [string, string])[] {
  return Object.entries(texts).flatMap(([key, text]: [string, unknown]) => {
    if (typeof text === "object" && text !== null)
      return words(text).map(([below, one]) => [`${key}.${below}`, one] as const);
    return [[key, typeof text === "function" ? String(text("7", "7")) : String(text)] as const];
  });
}

test.each([
  ["common", COMMON_TEXTS],
  ["chat", CHAT_TEXTS],
  ["connect", CONNECT_TEXTS],
  ["kinds", KIND_TEXTS],
])("K7: the Chinese texts of %s have every key, and each is translated", (_, { en, zh }) => {
  const [english, chinese] = [words(en), words(zh)];
  expect(chinese.map(([key]) => key)).toEqual(english.map(([key]) => key));
  expect(english.filter(([, text]) => text.trim() === "")).toEqual([]);
  const same = chinese.filter(([, text], at) => text === english[at]?.[1] || text.trim() === "");
  expect(same).toEqual([]);
});

test("K7: the wait bubble's title is exactly as promised", () => {
  const { overloaded, rate_limit, usage_limit, network, timeout } = KIND_TEXTS.en;
  const { title, now } = CHAT_TEXTS.en.wait;
  expect(`⚠ ${title(overloaded.waiting, "5s")}`).toBe("⚠ Server overloaded — retrying in 5s…");
  expect(now(overloaded.waiting)).toBe("Server overloaded — retrying now…");
  expect([rate_limit, usage_limit, network, timeout].map(({ waiting }) => waiting)).toEqual([
    "Rate limited",
    "Quota used up",
    "Connection failed",
    "No answer",
  ]);
});

test("K7: every kind of failure has all its words in both languages", () => {
  for (const texts of [KIND_TEXTS.en, KIND_TEXTS.zh]) {
    expect(Object.keys(texts)).toEqual([...FAILURE_KINDS]);
    for (const kind of Object.values(texts)) for (const text of Object.values(kind)) expect(text).not.toBe("");
  }
});

test.each([
  ['HTTP 529: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', "529", "overloaded"],
  ["HTTP 500: whatever", "500", "overloaded"],
  ["HTTP 504: <html>Gateway Timeout</html>", "504", "overloaded"],
  ['HTTP 429: {"error":{"type":"rate_limit_error","message":"slow down"}}', "429", "rate_limit"],
  [
    'HTTP 429: {"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}',
    "429",
    "usage_limit",
  ],
  ["connect ECONNREFUSED 127.0.0.1:1", "ECONNREFUSED", "network"],
  ["fetch failed", undefined, "network"],
  ['HTTP 401: {"error":{"message":"invalid x-api-key"}}', "401", "auth"],
] as const)("K7: the classifier reads %s with code %s as %s", async (message, code, kind) => {
  await loadClassifier();
  expect(kindOf(message, code)).toBe(kind);
});

test("K7: a message of any shape has a kind", () => {
  for (const message of ["", "HTTP 429", "HTTP 999: x", "{", "\u0000", "HTTP 429: ".repeat(1000)])
    expect(FAILURE_KINDS).toContain(classifyMessage(message, undefined));
});
