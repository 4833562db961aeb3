import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openStore } from "../../../src/store/index.ts";
import { startServer, type TestServer } from "./support/test-server.ts";

// 10^4 in all: 70 × 100 broken requests, 40 × 50 broken or senseless WebSocket frames, 1000 well-formed requests with senseless bodies.
const AT_ONCE = 100;
const FRAMES_AT_ONCE = 50;

const PATHS = [
  "/",
  "/chat",
  "/ws",
  "/api/session",
  "/api/settings",
  "/api/conversations/x",
  "/health",
  "/metrics",
  "/x",
];
const line = fc
  .tuple(
    fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT", "BREW", "get", ""),
    fc.oneof(
      fc.constantFrom(...PATHS),
      fc.webPath(),
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "*",
        "http://evil.example/",
        "//evil",
        "/%00",
        "/%",
        "/%ff%fe",
        "/..%2f..",
        `/${"a/".repeat(4000)}`,
      ),
    ),
    fc.constantFrom("HTTP/1.1", "HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/9.9", "http/1.1", ""),
  )
  .map((parts) => parts.join(" "));
const header = fc.oneof(
  fc.constantFrom(
    "Host: 127.0.0.1",
    "Host: evil.example",
    "Host:",
    "Content-Length: 5",
    "Content-Length: -1",
    "Content-Length: 5, 6",
    "Content-Length: 99999999999999999999",
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: chunked, identity",
    "Transfer-Encoding : chunked",
    "Content-Type: application/json",
    "Connection: Upgrade",
    "Connection: close, keep-alive",
    "Upgrade: websocket",
    "Upgrade: h2c",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    "Sec-WebSocket-Key: short",
    "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits=99",
    "Expect: 100-continue",
    "Expect: a miracle",
    "Origin: null",
    "Sec-Fetch-Site: cross-site",
    "Authorization: Bearer ",
    "Cookie: secondwind-1=; ;;=",
    "Range: bytes=0-,-1",
    "If-None-Match: *",
    "Accept-Encoding: br;q=nan, gzip;q=-1",
    " folded",
    "no colon",
    ": empty",
    `X: ${"y".repeat(20_000)}`,
    "X: \u0000",
  ),
  fc.tuple(fc.string({ unit: "binary" }), fc.string({ unit: "binary" })).map((pair) => pair.join(": ")),
);
const body = fc.oneof(
  fc.constantFrom(
    "",
    "{",
    '{"message":',
    "5\r\nhello\r\n",
    "ffffffffffffffff\r\n",
    "-1\r\n",
    "0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
  ),
  fc.json(),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
);
const wellFormed = fc
  .tuple(line, fc.array(header, { maxLength: 8 }), fc.constantFrom("\r\n", "\n", "\r"), body)
  .map(([first, headers, end, rest]) => Buffer.from(`${[first, ...headers].join(end)}${end}${end}${rest}`, "latin1"));
/** Only a little is wrong with them: they get past the parser. */
const nearlyRight = fc
  .tuple(
    fc.constantFrom("GET", "POST", "PUT", "DELETE"),
    fc.constantFrom(...PATHS),
    fc.array(header, { maxLength: 2 }),
    body,
  )
  .map(([method, path, headers, rest]) => {
    const text = [`${method} ${path} HTTP/1.1`, "Host: 127.0.0.1", ...headers].join("\r\n");
    return Buffer.from(`${text}\r\n\r\n${rest}`, "latin1");
  });
const cut = fc.tuple(wellFormed, fc.nat(400)).map(([bytes, at]) => bytes.subarray(0, at));
const flipped = fc.tuple(wellFormed, fc.nat(400), fc.nat(255)).map(([bytes, at, to]) => {
  const changed = Buffer.from(bytes);
  if (at < changed.length) changed[at] = to;
  return changed;
});
const noise = fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes));
const brokenRequest = fc.oneof({ weight: 4, arbitrary: nearlyRight }, wellFormed, cut, flipped, noise);

/** Sends the bytes and leaves: at once, after half a close, or after an answer has begun. Resolves with the status, if one came. */
function send(port: number, bytes: Uint8Array, leave: "at once" | "half" | "after"): Promise<string> {
  let status = "";
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }, () => {
      if (leave === "half") socket.end(bytes);
      else socket.write(bytes, () => leave === "at once" && socket.destroy());
    });
    socket.on("data", (chunk) => {
      status = /^HTTP\/1\.1 (\d{3}) /.exec(chunk.toString("latin1"))?.[1] ?? "no HTTP";
      socket.destroy();
    });
    socket.on("error", () => undefined).on("close", () => resolve(status));
    setTimeout(() => socket.destroy(), 30);
  });
}

async function stateOf({ storePath }: TestServer): Promise<unknown> {
  const store = await openStore({ path: storePath });
  const state = [await store.config.list(), await store.conversations.list()];
  await store.close();
  return state;
}

const leaving = fc.constantFrom("at once" as const, "half" as const, "after" as const);

test("K6: 7,000 broken requests crash nothing and change nothing", { timeout: 60_000 }, async () => {
  const server = await startServer();
  const before = await stateOf(server);
  const answered = new Map<string, number>();
  const requests = fc.array(fc.tuple(brokenRequest, leaving), { minLength: AT_ONCE, maxLength: AT_ONCE });
  await fc.assert(
    fc.asyncProperty(requests, async (sent) => {
      const statuses = await Promise.all(sent.map(([bytes, leave]) => send(server.port, bytes, leave)));
      for (const status of statuses) answered.set(status, (answered.get(status) ?? 0) + 1);
      expect((await server.ask("/health")).json).toMatchObject({ live: true, ready: true });
    }),
    { numRuns: 70 },
  );
  expect(await stateOf(server)).toEqual(before);
  // They got as far as the guard and behind it.
  expect([...answered.keys()]).toEqual(expect.arrayContaining(["200", "400", "403", "405", "431"]));
  expect(answered.has("500") || answered.has("no HTTP")).toBe(false);
});

interface Frame {
  readonly first: number;
  readonly isMasked: boolean;
  readonly payload: Buffer;
  /** Undefined: the true one. */
  readonly length?: number | undefined;
}

function encode({ first, isMasked, payload, length = payload.length }: Frame): Buffer {
  const head = Buffer.alloc(10);
  head[0] = first;
  head[1] = (isMasked ? 0x80 : 0) | 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  const mask = randomBytes(4);
  const masked = isMasked ? payload.map((byte, place) => byte ^ (mask[place % 4] as number)) : payload;
  return Buffer.concat([head, ...(isMasked ? [mask] : []), masked]);
}

const types = [
  "chat.subscribe",
  "chat.unsubscribe",
  "chat.abort",
  "chat.steer",
  "activity.subscribe",
  "chat.nothing",
  5,
];
const message = fc.record(
  {
    type: fc.constantFrom(...types),
    conversationId: fc.oneof(fc.string(), fc.constant("x".repeat(65)), fc.anything()),
    content: fc.oneof(fc.string({ unit: "binary" }), fc.anything()),
    message: fc.constantFrom(5, null, ""),
    __proto__: fc.constant(null),
  },
  { requiredKeys: [] },
);
const payload = fc.oneof(
  message.map((value) => Buffer.from(JSON.stringify(value) ?? "")),
  fc.json().map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc.constant(Buffer.from("[".repeat(100_000))),
);
const frame: fc.Arbitrary<Frame> = fc.record({
  first: fc.oneof(
    { weight: 5, arbitrary: fc.constant(0x81) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 255 }) },
  ),
  isMasked: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  payload,
  length: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.maxSafeNat() }),
});

const HANDSHAKE =
  "GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";

test("K6: 2,000 broken or senseless WebSocket frames crash nothing and change nothing", {
  timeout: 60_000,
}, async () => {
  const server = await startServer();
  const before = await stateOf(server);
  const frames = fc.array(fc.tuple(frame, leaving), { minLength: FRAMES_AT_ONCE, maxLength: FRAMES_AT_ONCE });
  await fc.assert(
    fc.asyncProperty(frames, async (sent) => {
      // Five on one socket: a good one before a broken one, and the other way round.
      const groups = Array.from({ length: FRAMES_AT_ONCE / 5 }, (_, place) => sent.slice(place * 5, place * 5 + 5));
      await Promise.all(
        groups.map((group) => {
          const bytes = Buffer.concat([Buffer.from(HANDSHAKE), ...group.map(([one]) => encode(one))]);
          return send(server.port, bytes, group[0]?.[1] ?? "after");
        }),
      );
      expect((await server.ask("/health")).status).toBe(200);
    }),
    { numRuns: 40 },
  );
  expect(await stateOf(server)).toEqual(before);
});

/** They run for seconds by themselves; their own tests have their bodies. */
const LONG = new Set(["POST /api/lab", "POST /api/policies/estimate", "GET /api/activity/stream"]);

test("K6: 1,000 senseless bodies and queries get an answer that is never a fault of the server", {
  timeout: 60_000,
}, async () => {
  const server = await startServer();
  const { json } = await server.ask("/api/openapi.json");
  const { paths } = json as { readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>> };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
  );
  const usual = operations.filter((one) => !LONG.has(one.join(" ")));
  const value = fc.oneof(
    fc.anything({ withNullPrototype: true }),
    fc.constantFrom("sim/ok", "patient", 1, true, "", null),
  );
  const fields = [
    "title",
    "policy",
    "model",
    "seq",
    "content",
    "text",
    "weather",
    "fault",
    "key",
    "from",
    "api_retry_max_delay",
  ];
  const sent = fc.record({
    operation: fc.constantFrom(...usual),
    id: fc.oneof(fc.webSegment(), fc.constantFrom("x", "constructor", "__proto__", "%00", "..%2f", "%")),
    query: fc.webQueryParameters(),
    body: fc.oneof(fc.dictionary(fc.constantFrom(...fields), value), value),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(sent, { minLength: 20, maxLength: 20 }), async (all) => {
      const answers = await Promise.all(
        all.map(async ({ operation: [method, path], id, query, body: given }) => {
          const target = `${path.replace(/\{\w+\}/, id || "x")}?${query}`;
          const headers = { "x-secondwind-token": server.token };
          const text = method === "GET" ? undefined : (stringify(given) ?? "");
          return server.ask(target, { method, headers, ...(text !== undefined && { body: text }) });
        }),
      );
      for (const [place, { status, text }] of answers.entries())
        expect([status < 500 || text, all[place]?.operation]).toEqual([true, all[place]?.operation]);
    }),
    { numRuns: 50 },
  );
});

/** Undefined: JSON has no text for it. */
function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (_, one) => (typeof one === "bigint" ? Number(one) : one));
  } catch {
    return undefined;
  }
}
