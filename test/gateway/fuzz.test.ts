import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { often } from "../support/soak.ts";
import { until } from "../support/until.ts";
import { askRaw } from "./support/raw-request.ts";
import { endpointsAt, gatewayOfTest } from "./support/start-gateway.ts";

const AT_ONCE = 50;
/** A request without a host: no server of ours takes it, but an endpoint that got it among the bytes of another would. */
const SMUGGLED = "GET /v1/smuggled HTTP/1.1\r\nx-smuggled: 1\r\n\r\n";
const PATHS = [
  "/v1/chat/completions",
  "/v1/messages?beta=true",
  "/v1beta/models/m:generateContent",
  "/v1/models",
  "/openai/v1/x",
];

const target = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...PATHS) },
  fc.constantFrom(
    "*",
    "http://evil.example/v1/models",
    "//evil.example/v1/models",
    "evil.example:80",
    "/v1/%00",
    "/v1/../admin",
    `/v1/${"a/".repeat(3000)}`,
  ),
  fc.string({ unit: "binary", maxLength: 20 }).map((text) => `/v1/${text}`),
);
const header = fc.oneof(
  fc.constantFrom(
    "Content-Length: 5",
    "Content-Length: 0",
    "Content-Length: +5",
    "Content-Length: 5, 6",
    "Content-Length: -1",
    "Content-Length: 99999999999999999999",
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: identity, chunked",
    "Transfer-Encoding: \u000bchunked",
    "Transfer-Encoding : chunked",
    "Transfer-Encoding: xchunked",
    "Connection: content-length, x-fuzz",
    "Connection: Upgrade\r\nUpgrade: h2c",
    "Expect: 100-continue",
    "Expect: nothing",
    "Authorization: Bearer a\rX-Injected: 1",
    "X-Bare: a\nX-Injected: 1",
    "X-Nul: \u0000",
    "X-Latin: \u00e9\u00ff",
    " folded",
    "no colon",
    ": empty",
    "x-secondwind-max-wait: 1",
    "x-secondwind-id: \u00e9",
    `X-Giant: ${"y".repeat(20_000)}`,
    "TE: trailers",
    "Trailer: x-fuzz",
  ),
  fc
    .tuple(fc.string({ unit: "binary", maxLength: 8 }), fc.string({ unit: "binary", maxLength: 12 }))
    .map((pair) => pair.join(": ")),
);
const body = fc.constantFrom(
  "",
  '{"model":"m"}',
  '{"model":"m","stream":true}',
  `0\r\n\r\n${SMUGGLED}`,
  `5\r\nhello\r\n0\r\n\r\n${SMUGGLED}`,
  `hello${SMUGGLED}`,
  SMUGGLED,
  "ffffffffffffffff\r\nx",
  '5;ext="\r\n"\r\nhello\r\n0\r\nx-fuzz: trailer\r\n\r\n',
);
const request = fc.record({
  method: fc.constantFrom(
    "GET",
    "POST",
    "POST",
    "POST",
    "PUT",
    "DELETE",
    "HEAD",
    "OPTIONS",
    "TRACE",
    "BREW",
    "CONNECT",
    "get",
  ),
  target,
  headers: fc.array(header, { maxLength: 3 }),
  body,
  /** -1: a length that is right. */
  cutAt: fc.oneof(fc.constant(-1), fc.nat(300)),
});

function send(port: number, bytes: Buffer): Promise<string> {
  let got = "";
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" }, () => socket.write(bytes));
    socket.on("data", (chunk) => {
      got += chunk.toString("latin1");
      socket.end();
    });
    socket.on("error", () => undefined).on("close", () => resolve(got));
    setTimeout(() => socket.destroy(), 40);
  });
}

test("E14: fuzzed requests crash nothing, and reach the endpoint only as what was asked for", {
  timeout: 120_000,
}, async () => {
  const received: {
    readonly method: string;
    readonly url: string;
    readonly id: string;
    readonly names: readonly string[];
  }[] = [];
  // As lenient as an endpoint may be.
  const upstream = createServer({ insecureHTTPParser: true, requireHostHeader: false }, (incoming, response) => {
    const { method = "", url = "", headers } = incoming;
    received.push({ method, url, id: String(headers["x-fuzz"] ?? ""), names: Object.keys(headers) });
    incoming.resume().on("end", () => response.end('{"data":[]}'));
  });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    upstream.closeAllConnections();
    upstream.close();
  });
  const { port, gateway, faults } = await gatewayOfTest({
    endpoints: endpointsAt(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}`),
    limits: { bodyBytes: 100_000 },
  });
  const asked = new Map<string, string>();
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (requests) => {
      const answers = await Promise.all(
        requests.map(({ method, target: to, headers, body: content, cutAt }) => {
          const id = `f${count++}`;
          // Spaces in front of the version belong to no target.
          asked.set(id, Buffer.from(`${method} ${to}`, "latin1").toString("latin1").replace(/ +$/, ""));
          const length = cutAt === -1 ? [`Content-Length: ${Buffer.byteLength(content, "latin1")}`] : [];
          const lines = [`${method} ${to} HTTP/1.1`, "Host: 127.0.0.1", `X-Fuzz: ${id}`, ...length, ...headers];
          const bytes = Buffer.from(`${lines.join("\r\n")}\r\n\r\n${content}`, "latin1");
          return send(port, cutAt > 0 && cutAt % 3 === 0 ? bytes.subarray(0, bytes.length - (cutAt % 20)) : bytes);
        }),
      );
      for (const answer of answers)
        expect(answer.startsWith("HTTP/1.1 ") || answer === "", answer.slice(0, 80)).toBe(true);
    }),
    { numRuns: often(40, 400) },
  );
  await until(() => gateway.inFlight === 0);
  // Some have to get through, or this tests nothing but the parser.
  expect(received.length).toBeGreaterThan(count / 50);
  for (const { method, url, id, names } of received) {
    expect(names).not.toContain("x-smuggled");
    expect(names).not.toContain("x-injected");
    expect(url).not.toContain("smuggled");
    // `Connection` may have taken the id away.
    if (id !== "") expect(asked.get(id)?.replace("/openai/", "/")).toBe(`${method} ${url}`);
  }
  expect(faults).toEqual([]);
  // No connection to the endpoint is out of step.
  for (let n = 0; n < 10; n++) {
    const path = `/v1/files/after-${n}`;
    expect((await askRaw(port, path, { method: "GET" })).status).toBe(200);
    expect(received.at(-1)?.url).toBe(path);
  }
});
