import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { Readable } from "node:stream";
import { fetch as undiciFetch } from "undici";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  type PolicyInput,
  ResponseError,
  receiptOf,
  resilient,
  run,
  SecondwindError,
  stream,
} from "../../src/index.ts";

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const POLICY: PolicyInput = { schedules: { general: { type: "fixed", delayMs: 0, atMost: 1 } } };
const script: Answer[] = [];
const sockets = new Set<Socket>();
let server: Server;
let url = "";
let calls = 0;

beforeAll(async () => {
  server = createServer((request, response) => script[Math.min(calls++, script.length - 1)]?.(response, request));
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/answer`;
});

afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

afterEach(() => {
  script.length = 0;
  calls = 0;
});

const says =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end(body);
const OVERLOADED = says(503, '{"error":{"message":"Overloaded, come back"}}', { "content-type": "application/json" });
const FINE = says(200, "fine");

describe("a Response that is not ok", () => {
  for (const [name, get] of Object.entries({ "Node's fetch": fetch, "undici's fetch": undiciFetch })) {
    test(`E1: from ${name} is a failure and is retried`, async () => {
      script.push(OVERLOADED, FINE);
      const ask = resilient(({ signal }) => get(url, { signal }), POLICY);
      const response = await ask();
      expect(await response.text()).toBe("fine");
      expect(calls).toBe(2);
    });
  }

  test("E1: after all retries the error has its status, message, headers and body", async () => {
    script.push(says(503, '{"error":{"message":"Overloaded, come back"}}', { "X-Request-Id": "r-1" }));
    const error = await resilient(() => fetch(url), POLICY)().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SecondwindError);
    expect(error).toMatchObject({
      message: "Overloaded, come back (retries-exhausted after 2 attempts; overloaded)",
      attempts: 2,
      failure: { kind: "overloaded", status: 503, message: "Overloaded, come back" },
    });
    const { cause } = error as SecondwindError;
    expect(cause).toBeInstanceOf(ResponseError);
    expect(cause).toMatchObject({
      message: "HTTP 503 Service Unavailable",
      status: 503,
      statusText: "Service Unavailable",
      headers: { "x-request-id": "r-1" },
      body: '{"error":{"message":"Overloaded, come back"}}',
      url,
    });
  });

  test("E2: one that is not retried is thrown as a ResponseError, with a receipt", async () => {
    script.push(says(404, "no such model"));
    const error = await resilient(() => fetch(url), POLICY)().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ResponseError);
    expect(error).toMatchObject({ status: 404, body: "no such model" });
    expect(receiptOf(error)).toMatchObject({ attempts: 1, outcome: "not-retryable" });
    expect(await run(() => fetch(url), { policy: POLICY })).toMatchObject({
      ok: false,
      failure: { kind: "not_found", status: 404, message: "no such model" },
    });
  });

  test("E6: its hint is honoured", async () => {
    script.push(says(429, "slow down", { "retry-after-ms": "80" }), FINE);
    const startedAt = performance.now();
    await resilient(() => fetch(url), POLICY)();
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(79);
    expect(calls).toBe(2);
  });

  test("E1: a choice accepts it as an answer", async () => {
    script.push(OVERLOADED);
    const ask = resilient(() => fetch(url), POLICY, { acceptErrorResponses: true });
    const response = await ask();
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ error: { message: "Overloaded, come back" } });
    const result = await run(() => fetch(url), { acceptErrorResponses: true });
    expect(result).toMatchObject({ ok: true, value: { status: 503 } });
    expect(() => resilient(() => 1, POLICY, { acceptErrorResponses: "yes" as never })).toThrow(
      'options.acceptErrorResponses must be true or false; got "yes"',
    );
  });

  test("E4: redirects and 304 that the caller asked for, 204 and other ok answers are no failures", async () => {
    script.push(
      says(302, "", { location: "/elsewhere" }),
      (response) => response.writeHead(304).end(),
      (response) => response.writeHead(204).end(),
    );
    const ask = resilient(() => fetch(url, { redirect: "manual" }), POLICY);
    expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([302, 304, 204]);
    const opaque = { ...like(0, null), type: "opaqueredirect" };
    expect(await resilient(() => opaque, POLICY)()).toBe(opaque);
  });

  test("E4: a network error as a Response is a failure", async () => {
    const error = await resilient(() => Response.error(), POLICY)().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ attempts: 2, failure: { kind: "network", message: "fetch failed" } });
  });
});

describe("the body of a Response that is not ok", () => {
  test("E20: is read, so that the next attempt uses the same connection", async () => {
    const ports: (number | undefined)[] = [];
    const busy: Answer = (response, request) => {
      ports.push(request.socket.remotePort);
      response.writeHead(503).end("x".repeat(50_000));
    };
    script.push(busy, busy, (response, request) => {
      ports.push(request.socket.remotePort);
      response.end("fine");
    });
    const policy: PolicyInput = { schedules: { general: { type: "fixed", delayMs: 20, atMost: 2 } } };
    await (await resilient(() => fetch(url), policy)()).text();
    expect(new Set(ports).size).toBe(1);
  });

  test("E7: is cut off at 64 KiB, and the connection is closed", async () => {
    let isClosed = false;
    script.push((response) => {
      response.writeHead(400);
      const drip = setInterval(() => response.write("é".repeat(16_384)), 1);
      response.on("close", () => {
        isClosed = true;
        clearInterval(drip);
      });
    });
    const error = await resilient(() => fetch(url), POLICY)().catch((thrown: unknown) => thrown);
    expect(Buffer.byteLength((error as ResponseError).body)).toBe(65_536);
    await expect.poll(() => isClosed).toBe(true);
  });

  test("E15: one that never ends does not hold the failure up", { timeout: 15_000 }, async () => {
    script.push((response) => void response.writeHead(400).write("so far"));
    const startedAt = performance.now();
    const error = await resilient(() => fetch(url), POLICY)().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 400, body: "so far" });
    expect(performance.now() - startedAt).toBeLessThan(8000);
  });

  test("E13: an abort while it is read ends the generation at once", async () => {
    script.push((response) => void response.writeHead(503).write("so far"));
    const controller = new AbortController();
    const ask = resilient(({ signal }) => fetch(url, { signal }), POLICY).with({ signal: controller.signal });
    const pending = ask();
    await expect.poll(() => calls).toBe(1);
    setTimeout(() => controller.abort(new Error("the user left")), 20);
    await expect(pending).rejects.toThrow("the user left");
    expect(calls).toBe(1);
  });

  test("E1: one that was read already, breaks off, or comes from another implementation is no obstacle", async () => {
    const forms: Readonly<Record<string, [unknown, string]>> = {
      "used up": [{ ...like(400, "gone"), bodyUsed: true }, ""],
      "a Node stream": [{ ...like(400, "-"), body: Readable.from([Buffer.from("of "), "node"]) }, "of node"],
      "text() alone": [like(400, "plain"), "plain"],
      "text() that rejects": [{ ...like(400, ""), text: () => Promise.reject(new Error("cut")) }, ""],
      "a locked stream": [locked(), ""],
      "a stream that breaks": [{ ...like(400, ""), body: breaking() }, "first"],
    };
    for (const [name, [response, body]] of Object.entries(forms)) {
      const error = await resilient(() => response, POLICY)().catch((thrown: unknown) => thrown);
      expect(error, name).toMatchObject({ name: "ResponseError", status: 400, body });
    }
  });

  test("E1: an object that only has ok: false is an answer like any other", async () => {
    for (const answer of [
      { ok: false },
      { ok: false, status: 500, data: null },
      { ok: false, status: 503, text: "no" },
    ]) {
      expect(await resilient(() => answer, POLICY)()).toBe(answer);
    }
    const hostile = {
      get ok(): boolean {
        throw new Error("do not look");
      },
    };
    expect(await resilient(() => hostile, POLICY)()).toBe(hostile);
  });
});

/** A Response of a small polyfill. */
function like(status: number, text: string | null) {
  return {
    ...{ ok: false, status, statusText: "", url: "", type: "default", body: undefined },
    headers: new Map([["x-a", "1"]]),
    text: () => Promise.resolve(text ?? ""),
  };
}

function locked(): Response {
  const response = new Response("locked", { status: 400 });
  response.body?.getReader();
  return response;
}

async function* breaking(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode("first");
  throw new Error("cut");
}

describe("E2: a streamed call that returns no stream", () => {
  const open = stream as unknown as (call: () => unknown, options: { policy: PolicyInput }) => AsyncIterable<unknown>;
  const firstOf = async (call: () => unknown): Promise<unknown> => {
    for await (const item of open(call, { policy: POLICY })) return item;
    return undefined;
  };

  test("E2: a failed Response is retried with its status, and is the cause of the final error", async () => {
    script.push(says(503, "Down for lunch"));
    const error = await firstOf(() => fetch(url)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "SecondwindError", attempts: 2, failure: { kind: "overloaded", status: 503 } });
    expect(error).toMatchObject({ cause: { name: "ResponseError", status: 503, body: "Down for lunch" } });
    expect(calls).toBe(2);
  });

  test.each<[string, () => unknown]>([
    ["an object", () => fetch(url)],
    ["undefined", () => undefined],
    ["null", () => null],
    ["5", () => 5],
    ["an array", async () => ["a"]],
  ])("E19: %s is an error that names what is allowed, without a retry", async (shown, call) => {
    script.push(says(200, "{}"));
    const error = await firstOf(call).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      name: "TypeError",
      message: `The streamed call must return an async iterable; got ${shown}`,
    });
    expect(calls).toBeLessThanOrEqual(1);
  });

  test("E1: an iterator that throws fails with its own error", async () => {
    const broken = () => ({
      [Symbol.asyncIterator]() {
        throw new Error("no iterator");
      },
    });
    await expect(firstOf(broken)).rejects.toThrow("no iterator");
  });
});
