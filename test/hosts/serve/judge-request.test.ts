import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Asked, judgeRequest, type Rules } from "../../../src/hosts/serve/guard/judge-request.ts";
import { REFUSALS } from "../../../src/hosts/serve/guard/refusals.ts";

const TOKEN = "t".repeat(43);
const KEY = "sw-right-key-0123456789";
const OPEN: Rules = {
  bound: "127.0.0.1",
  extra: [],
  token: TOKEN,
  door: { needsKey: false, byKey: () => undefined, bySession: () => undefined },
};
const LOCKED: Rules = {
  ...OPEN,
  door: {
    needsKey: true,
    byKey: (key) => (key === KEY ? { client: "laptop" } : undefined),
    bySession: (cookies) => (cookies === "sw=1" ? { client: "laptop" } : undefined),
  },
};

function asked(line: string, headers: Readonly<Record<string, string>> = {}): Asked {
  const [method = "", url = ""] = line.split(" ");
  const all = { host: "127.0.0.1:4747", ...headers };
  return { method, url, headers: all, rawHeaders: Object.entries(all).flat() };
}

const judged = (rules: Rules, line: string, headers?: Readonly<Record<string, string>>): unknown => {
  const verdict = judgeRequest(asked(line, headers), rules);
  if (verdict.ok) return verdict.caller.client ?? "ok";
  return Object.entries(REFUSALS).find(([, refusal]) => refusal === verdict.refusal)?.[0];
};

describe("K6: Host, against DNS rebinding", () => {
  test.each([
    ["127.0.0.1:4747", "127.0.0.1", "ok"],
    ["localhost:9999", "127.0.0.1", "ok"],
    ["LOCALHOST", "127.0.0.1", "ok"],
    ["[::1]:4747", "127.0.0.1", "ok"],
    ["evil.example", "127.0.0.1", "host"],
    ["localhost.evil.example", "127.0.0.1", "host"],
    ["127.0.0.1.evil.example", "127.0.0.1", "host"],
    ["127.0.0.1:4747@evil.example", "127.0.0.1", "host"],
    ["192.168.1.5:4747", "127.0.0.1", "host"],
    ["192.168.1.5:4747", "192.168.1.5", "ok"],
    ["192.168.1.6:4747", "192.168.1.5", "host"],
    ["192.168.1.6:4747", "0.0.0.0", "ok"],
    ["[fe80::1]:4747", "::", "ok"],
    ["evil.example", "0.0.0.0", "host"],
    ["", "127.0.0.1", "host"],
    ["localhost:123456", "127.0.0.1", "host"],
    ["localhost\u0000", "127.0.0.1", "host"],
  ])("K6: the host %j on a server bound to %s: %s", (host, bound, expected) => {
    expect(judged({ ...OPEN, bound }, "GET /", { host })).toBe(expected);
  });

  test("K6: a name from --allow-host is allowed, and nothing below it", () => {
    const rules = { ...OPEN, extra: ["wind.example"] };
    expect(judged(rules, "GET /", { host: "wind.example" })).toBe("ok");
    expect(judged(rules, "GET /", { host: "a.wind.example" })).toBe("host");
  });

  test("K6: a request with two hosts, or none, is refused", () => {
    const two = { ...asked("GET /"), rawHeaders: ["Host", "127.0.0.1:4747", "host", "evil.example"] };
    expect(judgeRequest(two, OPEN)).toMatchObject({ ok: false, refusal: REFUSALS.host });
    expect(judgeRequest({ ...asked("GET /"), rawHeaders: [] }, OPEN)).toMatchObject({ ok: false });
  });

  test.each(["http://127.0.0.1:4747/", "//evil.example/", "*", "evil.example:443", ""])(
    "K6: the request target %j is refused",
    (url) => {
      expect(judgeRequest({ ...asked("GET /"), url }, OPEN)).toMatchObject({ ok: false, refusal: REFUSALS.target });
    },
  );
});

describe("K6: Origin and Sec-Fetch-Site, against other sites and other local pages", () => {
  const own = { origin: "http://127.0.0.1:4747", "x-secondwind-token": TOKEN };

  test.each([
    ["PUT /api/settings", own, "ok"],
    ["PUT /api/settings", { ...own, origin: "https://127.0.0.1:4747" }, "ok"],
    ["PUT /api/settings", { ...own, origin: "http://127.0.0.1:3000" }, "origin"],
    ["PUT /api/settings", { ...own, origin: "http://localhost:4747" }, "origin"],
    ["PUT /api/settings", { ...own, origin: "null" }, "origin"],
    ["PUT /api/settings", { ...own, origin: "" }, "origin"],
    ["PUT /api/settings", { ...own, origin: "http://127.0.0.1:4747, http://evil.example" }, "origin"],
    ["PUT /api/settings", { ...own, "sec-fetch-site": "same-origin" }, "ok"],
    ["PUT /api/settings", { ...own, "sec-fetch-site": "same-site" }, "origin"],
    ["PUT /api/settings", { ...own, "sec-fetch-site": "cross-site" }, "origin"],
    ["PUT /api/settings", { ...own, "sec-fetch-site": "nonsense" }, "origin"],
    ["GET /api/session", { "sec-fetch-site": "cross-site" }, "origin"],
    ["GET /api/session", { "sec-fetch-site": "none" }, "ok"],
    [
      "GET /metrics",
      { "sec-fetch-site": "same-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" },
      "origin",
    ],
    ["GET /", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" }, "ok"],
    ["GET /", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" }, "origin"],
    ["GET /", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script" }, "origin"],
    [
      "POST /",
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" },
      "origin",
    ],
  ])("K6: %s with %j: %s", (line, headers, expected) => {
    expect(judged(OPEN, line, headers as Readonly<Record<string, string>>)).toBe(expected);
  });
});

describe("K6: the token of the page", () => {
  test.each([
    ["PUT /api/settings", {}, "token"],
    ["PUT /api/settings", { "x-secondwind-token": "" }, "token"],
    ["PUT /api/settings", { "x-secondwind-token": `${TOKEN}x` }, "token"],
    ["PUT /api/settings", { "x-secondwind-token": TOKEN }, "ok"],
    ["DELETE /anything", {}, "token"],
    ["OPTIONS /api/settings", {}, "token"],
    ["POST /%61pi/settings", {}, "token"],
    ["POST /chat", {}, "ok"],
    ["POST /chat?x=1", {}, "ok"],
    ["POST /chat/", {}, "token"],
    ["POST /chat", { origin: "http://127.0.0.1:4747" }, "token"],
    ["POST /chat", { "sec-fetch-site": "same-origin" }, "token"],
    ["POST /chat", { "sec-fetch-site": "none" }, "token"],
    ["POST /chat", { origin: "http://127.0.0.1:4747", "x-secondwind-token": TOKEN }, "ok"],
    ["GET /ws", {}, "ok"],
    ["GET /ws", { origin: "http://127.0.0.1:4747" }, "token"],
    [`GET /ws?token=${TOKEN}`, { origin: "http://127.0.0.1:4747" }, "ok"],
    [`GET /ws?token=${TOKEN}`, { origin: "http://evil.example" }, "origin"],
    ["PUT /api/settings", { authorization: `Bearer ${KEY}` }, "token"],
  ])("K6: without access keys, %s with %j: %s", (line, headers, expected) => {
    expect(judged(OPEN, line, headers as Readonly<Record<string, string>>)).toBe(expected);
  });

  test.each([
    ["GET /", {}, "ok"],
    ["GET /assets/index.js", {}, "ok"],
    ["GET /health", {}, "ok"],
    ["GET /api/session", {}, "ok"],
    ["POST /api/session", {}, "token"],
    ["POST /api/session", { "x-secondwind-token": TOKEN }, "ok"],
    ["GET /api/conversations", {}, "key-missing"],
    ["GET /api/conversations", { "x-secondwind-token": TOKEN }, "key-missing"],
    ["GET /api/openapi.json", {}, "key-missing"],
    ["GET /metrics", {}, "key-missing"],
    ["POST /chat", {}, "key-missing"],
    ["GET /ws", {}, "key-missing"],
    ["GET /api/conversations", { authorization: "Bearer wrong" }, "key-wrong"],
    ["GET /", { authorization: "Bearer wrong" }, "key-wrong"],
    ["GET /api/conversations", { authorization: "Basic c3c6" }, "key-wrong"],
    ["GET /api/conversations", { authorization: `Bearer ${KEY}` }, "laptop"],
    ["PUT /api/settings", { authorization: `bearer ${KEY}` }, "laptop"],
    ["POST /chat", { authorization: `Bearer ${KEY}` }, "laptop"],
    ["GET /api/conversations", { cookie: "sw=1" }, "laptop"],
    ["PUT /api/settings", { cookie: "sw=1" }, "token"],
    ["PUT /api/settings", { cookie: "sw=1", "x-secondwind-token": TOKEN }, "laptop"],
    ["GET /ws", { cookie: "sw=1", origin: "http://127.0.0.1:4747" }, "token"],
    [`GET /ws?token=${TOKEN}`, { cookie: "sw=1", origin: "http://127.0.0.1:4747" }, "laptop"],
  ])("K6: with access keys, %s with %j: %s", (line, headers, expected) => {
    expect(judged(LOCKED, line, headers as Readonly<Record<string, string>>)).toBe(expected);
  });
});

test("K6: no request that names another host or another origin passes, whatever else it has", () => {
  const headers = fc.record(
    {
      "x-secondwind-token": fc.constantFrom(TOKEN, ""),
      cookie: fc.constantFrom("sw=1", "x"),
      authorization: fc.constantFrom(`Bearer ${KEY}`, "Bearer x"),
      "sec-fetch-site": fc.constantFrom("same-origin", "none", "cross-site"),
    },
    { requiredKeys: [] },
  );
  const line = fc
    .tuple(fc.constantFrom("GET", "POST", "PUT", "DELETE"), fc.webPath())
    .map(([method, path]) => `${method} /${path.replace(/^\/+/, "")}`);
  fc.assert(
    fc.property(line, headers, fc.domain(), fc.constantFrom(OPEN, LOCKED), (one, rest, domain, rules) => {
      expect(judged(rules, one, { ...rest, host: domain })).toBe("host");
      expect(judged(rules, one, { ...rest, origin: `https://${domain}` })).toBe("origin");
    }),
    { numRuns: 500 },
  );
});
