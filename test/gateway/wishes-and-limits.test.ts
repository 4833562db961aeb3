import { describe, expect, onTestFinished, test } from "vitest";
import { chatAnswer, sendJson, serve } from "../adapters/fetch/server.ts";
import { until } from "../support/until.ts";
import { STREAMED } from "./support/calls.ts";
import { askRaw, openSocket, type RawAnswer, requestBytes } from "./support/raw-request.ts";
import { endpointsAt, gatewayOfTest } from "./support/start-gateway.ts";

async function started(answer: Parameters<typeof serve>[0], options: object = {}) {
  const upstream = await serve(answer);
  onTestFinished(() => upstream.close());
  const gateway = await gatewayOfTest({ endpoints: endpointsAt(upstream.url), ...options });
  return { upstream, ...gateway };
}

const [chat, , anthropic, gemini] = STREAMED as readonly [
  (typeof STREAMED)[0],
  unknown,
  (typeof STREAMED)[0],
  (typeof STREAMED)[0],
];
const down: Parameters<typeof serve>[0] = (_, response) => sendJson(response, 503, { error: { message: "down" } });
const errorOf = ({ body }: RawAnswer): unknown => JSON.parse(body.toString()).error;

describe("E18: what a request asks of the gateway", () => {
  test.each([
    ["x-secondwind-policy", "nonsense", /x-secondwind-policy must be one of default, .*; got "nonsense"/],
    ["x-secondwind-policy", "__proto__", /must be one of/],
    ["x-secondwind-max-wait", "-1", /x-secondwind-max-wait must be a number of seconds from 0 to 28800; got "-1"/],
    ["x-secondwind-max-wait", "soon", /got "soon"/],
    ["x-secondwind-max-wait", "28801", /28800/],
    ["x-secondwind-id", "a b", /x-secondwind-id must be up to 128 letters/],
    ["x-secondwind-id", "x".repeat(129), /128/],
    ["x-secondwind-keepalive", "0", /x-secondwind-keepalive must be a number of seconds from 1 to 300; got "0"/],
    ["x-secondwind-keepalive", "1e1", /got "1e1"/],
  ])("E18: %s: %s is 400 in the format's error shape, and nothing is sent", async (name, value, says) => {
    const { upstream, port } = await started(down);
    for (const call of [chat, anthropic, gemini]) {
      const { body, headers } = call.options("m");
      const answer = await askRaw(port, call.path("m"), { body, headers: { ...headers, [name]: value } });
      expect(answer.status).toBe(400);
      expect(errorOf(answer)).toMatchObject({ message: expect.stringMatching(says), type: "secondwind_error" });
    }
    expect(upstream.received).toHaveLength(0);
  });

  test("E18: a policy by name, an id, and the longest wait apply to that request alone", async () => {
    const { upstream, port } = await started(down, {
      policy: { schedules: { general: { type: "fixed", delayMs: 60_000 } } },
    });
    const ask = (headers: Record<string, string>) =>
      askRaw(port, "/v1/chat/completions", { body: { model: "m" }, headers });
    const startedAt = performance.now();
    const none = await ask({ "x-secondwind-max-wait": "0", "x-secondwind-id": "my:id-1.x" });
    expect(none).toMatchObject({
      status: 503,
      headers: { "x-secondwind-id": "my:id-1.x", "x-secondwind-attempts": "1" },
    });
    const other = await ask({ "x-secondwind-max-wait": "0.05" });
    expect(other.headers["x-secondwind-id"]).not.toBe("my:id-1.x");
    expect(performance.now() - startedAt).toBeLessThan(5000);
    expect(upstream.received.length).toBeLessThan(5);
  });

  test("E18: the same id twice at a time is no problem", async () => {
    const { port, faults } = await started((_, response) => sendJson(response, 200, chatAnswer("hi")));
    const headers = { "x-secondwind-id": "same" };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => askRaw(port, "/v1/chat/completions", { body: { model: "m" }, headers })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(faults).toEqual([]);
  });
});

describe("B5: what the gateway can take", () => {
  test.each(["declared", "chunked"])(
    "B5: a body over the limit is 413 before it is read to its end: %s",
    async (how) => {
      const { upstream, port, gateway } = await started(down, { limits: { bodyBytes: 100_000 } });
      const big = "x".repeat(3_000_000);
      const response = await fetch(`http://127.0.0.1:${port}/v1/messages`, {
        method: "POST",
        body: how === "declared" ? big : new Blob([big]).stream(),
        ...(how === "chunked" && { duplex: "half" }),
      } as RequestInit);
      expect(response.status).toBe(413);
      const { error } = (await response.json()) as { readonly error: unknown };
      expect(error).toMatchObject({ type: "secondwind_error", message: "The request is larger than 100000 bytes" });
      expect(upstream.received).toHaveLength(0);
      await until(() => gateway.inFlight === 0);
    },
  );

  test("B5: a body at the limit passes", async () => {
    const { port } = await started((_, response) => sendJson(response, 200, chatAnswer("hi")), {
      limits: { bodyBytes: 1000 },
    });
    const body = JSON.stringify({ model: "m", x: "" });
    const filled = JSON.stringify({ model: "m", x: "y".repeat(1000 - body.length) });
    expect(filled).toHaveLength(1000);
    expect((await askRaw(port, "/v1/chat/completions", { body: filled })).status).toBe(200);
    expect((await askRaw(port, "/v1/chat/completions", { body: `${filled} ` })).status).toBe(413);
  });

  test("B5: too many requests at a time are 503 with retry-after, until one has ended", async () => {
    const waiting: (() => void)[] = [];
    const { port, gateway } = await started(
      (_, response) => waiting.push(() => sendJson(response, 200, chatAnswer("hi"))),
      { limits: { inFlight: 2 } },
    );
    const ask = () => askRaw(port, "/v1/chat/completions", { body: { model: "m" } });
    const running = [ask(), ask()];
    await until(() => waiting.length === 2);
    const third = await ask();
    expect(third).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
    expect(errorOf(third)).toMatchObject({ type: "secondwind_error" });
    for (const answer of waiting.splice(0)) answer();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200]);
    await until(() => gateway.inFlight === 0);
    const fourth = ask();
    await until(() => waiting.length === 1);
    waiting[0]?.();
    expect((await fourth).status).toBe(200);
  });

  test("B5: clients that leave in the middle of their request leave nothing behind", async () => {
    const { upstream, port, gateway, faults } = await started(down);
    const bytes = requestBytes("/v1/chat/completions", { body: "x".repeat(10_000) });
    for (let n = 0; n < 20; n++) {
      const socket = openSocket(port, bytes.subarray(0, 5000));
      setTimeout(() => (n % 2 === 0 ? socket.destroy() : socket.resetAndDestroy()), 5);
    }
    await new Promise((resolve) => setTimeout(resolve, 60));
    await until(() => gateway.inFlight === 0);
    expect([upstream.received.length, faults]).toEqual([0, []]);
  });

  test("B5: a gateway that closes lets requests finish, then ends the rest with an error", async () => {
    const { port, gateway } = await started(
      ({ body }, response) => {
        if (body.includes("down")) return sendJson(response, 503, { error: { message: "down" } });
        if (body.includes('"stream":true')) {
          response.writeHead(200, { "content-type": "text/event-stream" });
          return void response.write('data: {"choices":[{"index":0,"delta":{"content":"hi"}}]}\n\n');
        }
        setTimeout(() => sendJson(response, 200, chatAnswer("hi")), 100);
      },
      { policy: { schedules: { general: { type: "fixed", delayMs: 60_000 } }, budget: null, breaker: null } },
    );
    const ask = (model: string, stream = false) => askRaw(port, "/v1/chat/completions", { body: { model, stream } });
    const asked = [ask("slow"), ask("down"), ask("m", true)] as const;
    await until(() => gateway.inFlight === 3);
    await new Promise((resolve) => setTimeout(resolve, 30));
    const closing = gateway.close(300);
    expect((await ask("late")).status).toBe(503);
    const [slow, waiting, streaming] = await Promise.all(asked);
    expect(slow.status).toBe(200);
    expect(waiting).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
    expect(waiting.headers["x-should-retry"]).toBeUndefined();
    expect(errorOf(waiting)).toMatchObject({ message: "The gateway is shutting down" });
    expect(streaming.isWhole).toBe(false);
    expect(streaming.body.toString()).toContain("The gateway is shutting down");
    await closing;
    expect(gateway.inFlight).toBe(0);
  });
});
