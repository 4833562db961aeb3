import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { Agent } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Transport } from "../../../../src/adapters/fetch/transport/transport.ts";
import { often } from "../../../support/soak.ts";
import { learnLoopback, WayCounter } from "../ways.ts";
import { directly, outgoing, plain, plainAt, platform, type Wish } from "./sending.ts";

/** What the server is to answer with. */
interface Reply {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly packing: keyof typeof PACKERS;
  readonly body: string;
  /** How the body is framed: with its length, in chunks, or until the connection is closed. */
  readonly framing: "length" | "chunks" | "close";
  /** Breaks the connection off before the end. */
  readonly isCut: boolean;
  readonly hasHints: boolean;
}

const PACKERS = {
  "": (body: Buffer) => body,
  identity: (body: Buffer) => body,
  gzip: gzipSync,
  "X-GZIP": gzipSync,
  deflate: deflateSync,
  "deflate ": (body: Buffer) => deflateRawSync(body),
  br: brotliCompressSync,
  "gzip, br": (body: Buffer) => brotliCompressSync(gzipSync(body)),
  "gzip,, deflate": (body: Buffer) => body,
  unknown: (body: Buffer) => body,
  // It says so, but is not.
  "gzip ": (body: Buffer) => body,
};

let server: Server;
let url = "";
let reply: Reply;
let received: unknown;
const agent = new Agent();
const counter = new WayCounter();

beforeAll(async () => {
  await learnLoopback();
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received = seen(request, Buffer.concat(chunks));
      const { status, statusText, headers, packing, body, framing, isCut, hasHints } = reply;
      const packed = PACKERS[packing](Buffer.from(body));
      if (hasHints) response.writeEarlyHints({ link: "</a>; rel=preload" });
      const all = [...headers.flat(), ...(packing === "" ? [] : ["content-encoding", packing])];
      if (framing === "length") all.push("content-length", String(packed.length));
      if (framing === "close") all.push("connection", "close");
      response.writeHead(status, statusText, all);
      // What is too short to be cut would be whole, and the connection gone under the next request.
      if (!isCut || packed.length < 2) return void response.end(packed);
      response.write(packed.subarray(0, packed.length >> 1));
      setTimeout(() => response.destroy(), 5);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  counter.stop();
  await agent.destroy();
  server.closeAllConnections();
  server.close();
});

/** Names in order: in which order they come says nothing. */
function seen({ method, url: path, rawHeaders }: IncomingMessage, body: Buffer) {
  const headers: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.push(`${rawHeaders[at]?.toLowerCase()}: ${rawHeaders[at + 1]}`);
  return { method, path, headers: headers.sort(), body: body.toString("hex") };
}

const HANGS_MS = 8000;

/** All that the two sides see of one request. One that hangs says so, so that the example that it hangs with is shown. */
async function exchange(transport: Transport, path: string, wish: Wish) {
  let timer: NodeJS.Timeout | undefined;
  const hangs = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, HANGS_MS, `hangs: ${transport.name}`);
  });
  const outcome = await Promise.race([send(transport, path, wish), hangs]);
  clearTimeout(timer);
  return outcome;
}

async function send(transport: Transport, path: string, wish: Wish) {
  received = undefined;
  try {
    const answer = await transport(outgoing(url + path, wish));
    const { status, ok, statusText, type, redirected, headers, body } = answer;
    const listed = [...headers].filter(([name]) => name !== "date");
    const looked = ["x-A", "set-cookie", "content-type", "nothing"].map((name) => [
      headers.get(name),
      headers.has(name),
    ]);
    const visited: string[] = [];
    headers.forEach((value, name) => void visited.push(`${name}: ${value}`));
    const head = { status, ok, statusText, type, redirected, listed, looked, visited: visited.length };
    const at = answer.url;
    const text = await answer.text().catch(told);
    return { received, head, at, hasBody: body !== null, text };
  } catch (error) {
    return { received, error: told(error) };
  }
}

/** Which fault of the decoder or the socket it was depends on the moment. */
function told(error: unknown) {
  const { name, message, cause } = error as Error;
  return { name, message, hasCause: cause instanceof Error };
}

const token = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9-]{0,8}$/);
const value = fc.stringMatching(/^[!-~\u00a1-\u00ff]([ -~\u00a1-\u00ff]{0,12}[!-~])?$/);
const own = fc.tuple(
  fc.oneof(
    token.map((name) => `x-${name}`),
    fc.constantFrom("Accept", "user-agent", "Content-Type", "Cookie", "accept-encoding"),
  ),
  value,
);
const wishes = fc.record({
  path: fc.webPath({ size: "small" }).map((path) => (path.startsWith("/") ? path : `/${path}`)),
  rest: fc.constantFrom("", "?a=1", "?a=%20b#part", "#part", "?key=&key"),
  headers: fc.array(own, { maxLength: 5 }),
  body: fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 40 }),
    fc.constant(""),
    fc.constant("lone \ud800 surrogate"),
    fc.constant(null),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => new Uint8Array(bytes)),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => new Uint8Array(bytes).buffer as ArrayBuffer),
  ),
});
const replies: fc.Arbitrary<Reply> = fc.record({
  status: fc.constantFrom(200, 201, 204, 205, 304, 307, 400, 404, 429, 500, 503, 529),
  statusText: fc.constantFrom("OK", "", "Too Many", "I'm a teapot"),
  headers: fc.array(
    fc.tuple(
      fc.constantFrom("x-a", "X-A", "set-cookie", "Set-Cookie", "content-type", "retry-after", "__proto__"),
      value,
    ),
    { maxLength: 6 },
  ),
  packing: fc.constantFrom(...(Object.keys(PACKERS) as (keyof typeof PACKERS)[])),
  body: fc.oneof(fc.string({ unit: "grapheme", maxLength: 200 }), fc.constant("\ufeffafter a mark"), fc.constant("")),
  framing: fc.constantFrom("length", "chunks", "close"),
  isCut: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  hasHints: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});

const OTHERS: readonly (readonly [string, Transport, Transport])[] = [
  ["the platform's dispatcher", platform, plain],
  ["callbacks of undici 6 at another agent", directly("legacy", agent), plainAt(agent)],
  ["callbacks of undici 8", directly("controller", agent), plainAt(agent)],
];

test.each(OTHERS)("E14: a server and a caller see the same of %s as of fetch", async (name, other, byFetch) => {
  counter.take();
  const isBodiless = (status: number): boolean => status === 204 || status === 304;
  await fc.assert(
    fc.asyncProperty(wishes, replies, async ({ path, rest, headers, body }, asked) => {
      // A server that sends a body with these breaks the next answer on the connection.
      reply = isBodiless(asked.status) ? { ...asked, body: "", packing: "", framing: "chunks", isCut: false } : asked;
      const wish: Wish = { headers: new Headers(headers as [string, string][]), body };
      const expected = await exchange(byFetch, path + rest, wish);
      expect(await exchange(other, path + rest, wish)).toEqual(expected);
    }),
    { numRuns: often(100, 20_000) },
  );
  if (name === OTHERS[0]?.[0]) expect(counter.take().dispatcher).toBeGreaterThan(50);
});
