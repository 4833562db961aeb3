import type { ServerResponse } from "node:http";
import { brotliCompressSync, constants, createGzip, deflateSync, gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { startSimulator } from "../../src/simulator/http/index.ts";
import { type Received, serve } from "../adapters/fetch/server.ts";
import { until } from "../support/until.ts";
import { type FormatCall, STREAMED, WHOLE } from "./support/calls.ts";
import { askRaw, openSocket, type RawAnswer, requestBytes } from "./support/raw-request.ts";
import { endpointsAt, gatewayOfTest, QUICK } from "./support/start-gateway.ts";

const PACKED: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gzipSync(bytes),
  "x-gzip": (bytes) => gzipSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
  br: (bytes) => brotliCompressSync(bytes),
};
const OK = JSON.stringify({ choices: [{ message: { content: "words ".repeat(300) }, finish_reason: "stop" }] });

async function started(answer: (request: Received, response: ServerResponse, count: number) => void) {
  const upstream = await serve((request, response, count) => answer(request, response, count));
  onTestFinished(() => upstream.close());
  return { upstream, ...(await gatewayOfTest({ endpoints: endpointsAt(upstream.url), policy: QUICK })) };
}

async function transcriptOf(call: FormatCall): Promise<RawAnswer> {
  const sim = await startSimulator({ timeScale: 0, firstTokenMs: 0, tokenMs: 0 });
  onTestFinished(() => sim.close());
  return askRaw(sim.port, call.path("ok"), call.options("ok"));
}

describe("E15b: an endpoint that compresses although it was asked not to", () => {
  test.each([...STREAMED, ...WHOLE])("E15b: its answers arrive unpacked and whole: $name", async (call) => {
    const { body, headers } = await transcriptOf(call);
    for (const [encoding, pack] of Object.entries(PACKED)) {
      const { port, upstream } = await started((request, response) => {
        expect(request.headers["accept-encoding"]).toBe("identity");
        const packed = pack(body);
        response.writeHead(200, { "content-type": headers["content-type"], "content-encoding": encoding });
        response.write(packed.subarray(0, 7));
        setImmediate(() => response.end(packed.subarray(7)));
      });
      const answer = await askRaw(port, call.path("ok"), call.options("ok"));
      expect(answer, encoding).toMatchObject({ status: 200, isWhole: true });
      expect(answer.headers["content-encoding"], encoding).toBeUndefined();
      expect(answer.body.equals(body), encoding).toBe(true);
      expect(upstream.received).toHaveLength(1);
    }
  });

  test.each([...STREAMED, ...WHOLE])("E15b: one that is cut is never taken for whole: $name", async (call) => {
    const { body, headers } = await transcriptOf(call);
    const packed = gzipSync(body);
    let at = 0;
    const { port } = await started((_, response) => {
      response.writeHead(200, { "content-type": headers["content-type"], "content-encoding": "gzip" });
      response.end(packed.subarray(0, at));
    });
    const step = Math.ceil(packed.length / 12);
    for (at = 0; at < packed.length; at += step) {
      const answer = await askRaw(port, call.path("ok"), call.options("ok", `cut ${at}`));
      if (answer.status === 200 && answer.isWhole)
        // Whatever comes after the terminal marker does not count, a checksum included.
        expect(body.subarray(0, answer.body.length).equals(answer.body) && STREAMED.includes(call), `${at}`).toBe(true);
      else if (answer.status === 200) expect(answer.body.toString(), `${at}`).toContain("secondwind_error");
      else expect(answer.headers["x-should-retry"], `${at}`).toBe("false");
      if (at < packed.length / 2) expect(answer.isWhole && answer.status === 200, `${at}`).toBe(false);
    }
  });

  test("E14: what it streams comes at once, not at its end", async () => {
    let finish = (): void => undefined;
    const { port } = await started((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
      const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
      gzip.pipe(response);
      gzip.write('data: {"choices":[{"delta":{"content":"early"}}]}\n\n');
      finish = () => gzip.end('data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
    });
    const socket = openSocket(port, requestBytes("/v1/chat/completions", { body: { model: "m", stream: true } }));
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    await until(() => text.includes("early"));
    expect(text).not.toContain("[DONE]");
    finish();
    await until(() => text.includes("[DONE]"));
    socket.destroy();
  });

  test("E15b: one that is reset is a network failure, and is asked for again", async () => {
    const packed = gzipSync(OK);
    const { port, upstream } = await started((_, response, count) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      if (count > 1) return void response.end(packed);
      response.write(packed.subarray(0, packed.length / 2));
      setTimeout(() => response.destroy(), 5);
    });
    const answer = await askRaw(port, "/v1/chat/completions", { body: { model: "m" } });
    expect([answer.status, answer.body.toString(), upstream.received.length]).toEqual([200, OK, 2]);
  });

  test("E15b: an encoding that nobody knows is an error that names it", async () => {
    const { port, upstream } = await started((_, response) =>
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "zebra" }).end("xx"),
    );
    const answer = await askRaw(port, "/v1/chat/completions", { body: { model: "m" } });
    expect([answer.status, upstream.received.length]).toEqual([502, 4]);
    expect(answer.body.toString()).toContain("content-encoding zebra");
  });

  test("B3: its refusals arrive readable, and are judged by what they say", async () => {
    const { port, upstream } = await started((_, response) => {
      response.writeHead(429, { "content-type": "application/json", "content-encoding": "gzip" });
      response.end(gzipSync(JSON.stringify({ error: { message: "You have no credit", code: "insufficient_quota" } })));
    });
    const answer = await askRaw(port, "/v1/chat/completions", { body: { model: "m" } });
    expect(answer.headers["content-encoding"]).toBeUndefined();
    expect(JSON.parse(answer.body.toString())).toMatchObject({ error: { code: "insufficient_quota" } });
    expect([answer.status, upstream.received.length]).toEqual([429, 1]);
  });

  test("E14: a file that is no generation passes as it is, still compressed", async () => {
    const { port } = await started((_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("a file")),
    );
    const answer = await askRaw(port, "/v1/files/1/content", { method: "GET" });
    expect(answer.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(answer.body).toString()).toBe("a file");
  });

  test("E13: a client that leaves closes the connection", async () => {
    let isOpen = true;
    const { port, gateway } = await started((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
      const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
      gzip.pipe(response);
      gzip.write('data: {"choices":[{"delta":{"content":"early"}}]}\n\n');
      response.on("close", () => {
        isOpen = false;
      });
    });
    const socket = openSocket(port, requestBytes("/v1/chat/completions", { body: { model: "m", stream: true } }));
    await new Promise((resolve) => socket.once("data", resolve));
    socket.destroy();
    await until(() => !isOpen && gateway.inFlight === 0);
  });
});

describe("E15b: a whole answer of more than 64 KiB", () => {
  const LONG = "so many words } ".repeat(8000);
  const good = { id: "x", choices: [{ message: { role: "assistant", content: LONG }, finish_reason: "stop" }] };
  const text = JSON.stringify(good);

  test.each([
    ["cut, with the length of what is left", text.slice(0, text.lastIndexOf("}", text.length - 100) + 1), true],
    ["cut, in chunks", text.slice(0, text.lastIndexOf("}", text.length - 100) + 1), false],
    ["an error after its content", JSON.stringify({ ...good, error: { message: "we fell", code: 502 } }), true],
    [
      "an error inside a choice",
      text.replace('"finish_reason":"stop"', '"error":{"code":502},"finish_reason":"error"'),
      true,
    ],
  ])("E15b: is asked for again if it is %s", async (_, bad, hasLength) => {
    const { port, upstream } = await started((_request, response, count) => {
      response.setHeader("content-type", "application/json");
      if (count > 1) return void response.end(text);
      if (hasLength) response.setHeader("content-length", Buffer.byteLength(bad));
      response.write(bad.slice(0, 100));
      response.end(bad.slice(100));
    });
    const answer = await askRaw(port, "/v1/chat/completions", { body: { model: "m" } });
    expect([answer.status, answer.isWhole, upstream.received.length]).toEqual([200, true, 2]);
    expect(answer.body.toString()).toBe(text);
  });
});
