import { describe, expect, onTestFinished, test } from "vitest";
import { startSimulator } from "../../src/simulator/http/index.ts";
import { sendJson, serve, type TestServer } from "../adapters/fetch/server.ts";
import { type FormatCall, STREAMED, WHOLE } from "./support/calls.ts";
import { askRaw, type RawAnswer } from "./support/raw-request.ts";
import { endpointsAt, gatewayOfTest, QUICK } from "./support/start-gateway.ts";

async function started(answer: Parameters<typeof serve>[0], options: object = {}) {
  const upstream: TestServer = await serve(answer);
  onTestFinished(() => upstream.close());
  return { upstream, ...(await gatewayOfTest({ endpoints: endpointsAt(upstream.url), ...options })) };
}

const errorOf = ({ body }: RawAnswer): Record<string, unknown> => JSON.parse(body.toString()).error;
const ALL = [...STREAMED, ...WHOLE];
const RETRY_INFO = {
  error: {
    code: 429,
    message: "Resource has been exhausted",
    status: "RESOURCE_EXHAUSTED",
    details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "37.5s" }],
  },
};

describe("B3: a final error", () => {
  test.each(ALL)("B3: is the endpoint's own, with a receipt and x-should-retry: false: $name", async (call) => {
    const own = '{"error":{"message":"we are – down","type":"server_error"},"request_id":"r1"}';
    const { upstream, port } = await started((_, response) => {
      response.writeHead(503, "Gone Fishing", {
        "content-type": "application/json",
        "x-request-id": "r1",
        "x-should-retry": "true",
      });
      response.end(own);
    });
    const answer = await askRaw(port, call.path("m"), call.options("m"));
    expect(answer).toMatchObject({
      status: 503,
      isWhole: true,
      headers: {
        "content-type": "application/json",
        "x-request-id": "r1",
        "x-should-retry": "false",
        "x-secondwind-attempts": "4",
        "x-secondwind-calls": "4",
        "x-secondwind-outcome": "retries-exhausted",
        "x-secondwind-reason": "retries-exhausted",
      },
    });
    expect(answer.head.match(/x-should-retry/g)).toHaveLength(1);
    expect(answer.body.toString()).toBe(own);
    expect(upstream.received).toHaveLength(4);
  });

  test.each([
    ["retry-after", { "retry-after": "40" }, {}, "40"],
    ["retry-after-ms", { "retry-after-ms": "39500" }, {}, "40"],
    ["Google's RetryInfo in the body", {}, RETRY_INFO, "38"],
    ["nothing", {}, {}, undefined],
  ])("B3: has retry-after once, from %s", async (_, headers, body, expected) => {
    const policy = { ...QUICK, maxDelayMs: 5000 };
    const { port, upstream } = await started((__, response) => sendJson(response, 429, body, headers), { policy });
    const answer = await askRaw(port, "/v1beta/models/m:generateContent", { body: {} });
    expect([answer.status, answer.headers["retry-after"]]).toEqual([429, expected]);
    expect(answer.head.match(/^retry-after:/gm)?.length).toBe(expected === undefined ? undefined : 1);
    expect(upstream.received.length).toBe(expected === undefined ? 4 : 1);
  });

  test.each(ALL)("B3: is ours, in the format's shape, if the endpoint said nothing: $name", async (call) => {
    const { port } = await started((_, response) => response.destroy());
    const answer = await askRaw(port, call.path("m"), call.options("m"));
    expect(answer).toMatchObject({ status: 502, headers: { "x-should-retry": "false", "x-secondwind-attempts": "4" } });
    const parsed = JSON.parse(answer.body.toString());
    expect(parsed.error).toMatchObject({
      type: "secondwind_error",
      message: expect.stringContaining("after 4 attempts"),
    });
    if (call.format === "anthropic") expect(parsed.type).toBe("error");
    if (call.format === "gemini") expect(parsed.error).toMatchObject({ code: 502, status: "UNAVAILABLE" });
  });

  test.each([400, 401, 403, 404, 422])("E4: %i is not tried again, and arrives as it is", async (status) => {
    const { port, upstream } = await started((_, response) => sendJson(response, status, { error: { message: "no" } }));
    const answer = await askRaw(port, "/v1/messages", { body: { model: "m", stream: true } });
    expect([answer.status, upstream.received.length, answer.body.toString()]).toEqual([
      status,
      1,
      '{"error":{"message":"no"}}',
    ]);
  });

  test("E15b: an error inside an answer of status 200 is judged, and has a fitting status at the end", async () => {
    const error = { error: { type: "overloaded_error", message: "Overloaded" }, type: "error" };
    const { port, upstream } = await started(({ body }, response) => {
      if (!body.includes('"stream":true')) return sendJson(response, 200, error);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`event: error\ndata: ${JSON.stringify(error)}\n\n`);
    });
    for (const stream of [true, false]) {
      const answer = await askRaw(port, "/v1/messages", { body: { model: "m", stream } });
      expect(answer.status).toBe(503);
      expect(errorOf(answer)).toMatchObject({ type: "overloaded_error" });
    }
    expect(upstream.received).toHaveLength(8);
  });
});

describe("B3: a request that was given up and comes back unchanged", () => {
  const down: Parameters<typeof serve>[0] = (_, response, count) =>
    sendJson(response, 503, { error: { message: `${count}` } });
  const ask = (port: number, content: string, headers: Record<string, string> = {}) =>
    askRaw(port, "/v1/chat/completions", { body: { model: "m", content, stream: true }, headers });

  test("B3: gets one attempt; a new one and another client's get all of them", async () => {
    const { port, upstream } = await started(down);
    const counts: number[] = [];
    for (const [content, key] of [
      ["a", "1"],
      ["a", "1"],
      ["a", "1"],
      ["b", "1"],
      ["a", "2"],
      ["a", "2"],
    ] as const) {
      const before = upstream.received.length;
      expect((await ask(port, content, { authorization: `Bearer ${key}` })).status).toBe(503);
      counts.push(upstream.received.length - before);
    }
    expect(counts).toEqual([4, 1, 1, 4, 4, 1]);
  });

  test("B3: is not tried at all while the breaker is open, and gets the same error", async () => {
    const { port, upstream } = await started(down, {
      policy: {
        ...QUICK,
        breaker: { failures: 2, leastShare: 0.1, cooldownMs: 60_000, maxCooldownMs: 60_000, rampMs: 1000 },
        patienceMs: 100,
      },
    });
    const first = await ask(port, "a");
    const calls = upstream.received.length;
    expect(calls).toBeLessThan(5);
    const second = await ask(port, "a");
    expect(upstream.received.length).toBe(calls);
    expect([second.status, second.body.toString()]).toEqual([first.status, first.body.toString()]);
    expect(second.headers["x-should-retry"]).toBe("false");
  });

  test("B3: starts anew after it has been answered once", async () => {
    let isDown = true;
    const { port, upstream } = await started((request, response, count) => {
      if (isDown) return down(request, response, count);
      sendJson(response, 200, { choices: [{ message: { content: "hi" }, finish_reason: "stop" }] });
    });
    await ask(port, "a");
    isDown = false;
    expect((await ask(port, "a")).status).toBe(200);
    isDown = true;
    const before = upstream.received.length;
    await ask(port, "a");
    expect(upstream.received.length - before).toBe(4);
  });
});

describe("B4: keep-alives", () => {
  const KEEP_ALIVE = { "x-secondwind-keepalive": "1" };
  const COMMENTS = /^(?:: secondwind is waiting\n\n)+/;

  test("B4: comments come while it retries, then the answer, in every format", async () => {
    const sim = await startSimulator({ timeScale: 0, firstTokenMs: 0, tokenMs: 0, keepSent: true });
    onTestFinished(() => sim.close());
    const policy = { ...QUICK, schedules: { general: { type: "fixed", delayMs: 700, atMost: 3 } } } as const;
    const { port } = await gatewayOfTest({ endpoints: endpointsAt(sim.url), policy });
    const ask = async (call: FormatCall): Promise<void> => {
      const { body, headers } = call.options("overloaded-twice");
      // The simulator counts refusals by model and key.
      const ownKey = Object.entries({ ...headers }).map(([name, value]) => [name, value.replace("client", call.name)]);
      const options = { body, headers: { ...Object.fromEntries(ownKey), ...KEEP_ALIVE } };
      const answer = await askRaw(port, call.path("overloaded-twice"), options);
      expect(answer).toMatchObject({ status: 200, isWhole: true, trailers: { "x-secondwind-attempts": "3" } });
      expect(answer.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
      const text = answer.body.toString();
      expect(text).toMatch(COMMENTS);
      expect(sim.requests.map(({ sent }) => sent)).toContain(text.replace(COMMENTS, ""));
    };
    await Promise.all(STREAMED.map(ask));
  });

  test("B4: the final failure is the format's error event without a last chunk, and is remembered", async () => {
    const down: Parameters<typeof serve>[0] = (_, response) =>
      sendJson(response, 503, { error: { message: "we fell" } });
    const policy = { ...QUICK, schedules: { general: { type: "fixed", delayMs: 1200, atMost: 1 } } } as const;
    const { port, upstream } = await started(down, { policy });
    const ask = (call: FormatCall): Promise<RawAnswer> => {
      const { body, headers } = call.options("m");
      return askRaw(port, call.path("m"), { body, headers: { ...headers, ...KEEP_ALIVE } });
    };
    for (const { status, isWhole, body } of await Promise.all(STREAMED.map(ask))) {
      expect([status, isWhole]).toEqual([200, false]);
      const [, event] =
        /^(?:: secondwind is waiting\n\n)+((?:event: error\n)?data: .*\n\n)$/s.exec(body.toString()) ?? [];
      expect(event).toContain("we fell");
      expect(event).toContain("secondwind_error");
    }
    expect(upstream.received).toHaveLength(8);
    for (const { status } of await Promise.all(STREAMED.map(ask))) expect(status).toBe(503);
    expect(upstream.received).toHaveLength(12);
  });
});
