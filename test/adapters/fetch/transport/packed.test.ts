import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { receiptOf, resilientFetch } from "../../../../src/adapters/fetch/index.ts";
import { chatAnswer } from "../server.ts";
import { learnLoopback, useWay, WAYS } from "../ways.ts";
import { outgoing, platform } from "./sending.ts";

const WHOLE = Buffer.from(JSON.stringify(chatAnswer("wind → 風 ".repeat(2000))));
const JSON_TYPE = { "content-type": "application/json" };
const ONCE = { schedules: { general: { type: "fixed", delayMs: 1, atMost: 1 } }, budget: null, breaker: null } as const;
let server: Server;
let url = "";
let requests = 0;
let answer: (response: ServerResponse, count: number) => void = () => undefined;

beforeAll(async () => {
  await learnLoopback();
  server = createServer((request, response) => {
    request.resume().on("end", () => {
      requests += 1;
      answer(response, requests);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const send = (response: ServerResponse, coding: string, body: Uint8Array): void =>
  void response.writeHead(200, { ...JSON_TYPE, "content-encoding": coding }).end(body);

describe.each(WAYS)("answers that are packed, by %s", (way) => {
  useWay(way);

  test.each([
    ["gzip", gzipSync(WHOLE)],
    ["deflate", deflateSync(WHOLE)],
    ["deflate", deflateRawSync(WHOLE)],
    ["br", brotliCompressSync(WHOLE)],
    ["gzip, br", brotliCompressSync(gzipSync(WHOLE))],
  ])("E15b: %s is unpacked", async (coding, packed) => {
    answer = (response) => send(response, coding, packed);
    const response = await resilientFetch()(url, { method: "POST", body: "{}" });
    expect(await response.json()).toEqual(JSON.parse(WHOLE.toString()));
    expect(response.headers.get("content-encoding")).toBe(coding);
  });

  test("E15b: fault 24: gzip that was cut is asked for again", async () => {
    requests = 0;
    const packed = gzipSync(WHOLE);
    answer = (response, count) => send(response, "gzip", count === 1 ? packed.subarray(0, packed.length >> 1) : packed);
    const response = await resilientFetch(ONCE)(url, { method: "POST", body: "{}" });
    expect(await response.json()).toEqual(JSON.parse(WHOLE.toString()));
    expect(receiptOf(response)).toMatchObject({ attempts: 2, history: [{ kind: "stream_broken" }, {}] });
  });

  test("E15b: what only says that it is gzip is asked for again", async () => {
    requests = 0;
    answer = (response, count) => send(response, "gzip", count === 1 ? WHOLE : gzipSync(WHOLE));
    const response = await resilientFetch(ONCE)(url, { method: "POST", body: "{}" });
    expect(await response.json()).toEqual(JSON.parse(WHOLE.toString()));
    expect(requests).toBe(2);
  });

  test("E15b: a stream in gzip comes event by event", async () => {
    const event = (text: string): string => `data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\n`;
    let more: () => void = () => undefined;
    answer = (response) => {
      response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
      const packer = createGzip();
      packer.pipe(response);
      packer.write(event("one"));
      packer.flush();
      more = () =>
        packer.end(`${event("two")}data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`);
    };
    const response = await resilientFetch()(url, { method: "POST", body: '{"stream":true}' });
    const reader = response.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value as Uint8Array).toString()).toBe(event("one"));
    more();
    let text = "";
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read())
      text += Buffer.from(next.value).toString();
    expect(text).toContain("two");
    expect(receiptOf(response)?.complete).toBe(true);
  });
});

test("E15b: fault 25: a bomb is unpacked only as far as it is read, and left", async () => {
  const mebibyte = gzipSync(Buffer.alloc(1 << 20));
  // A file of many members unpacks to a gibibyte.
  answer = (response) => send(response, "gzip", Buffer.concat(Array.from({ length: 1024 }, () => mebibyte)));
  const { body } = await platform(outgoing(url));
  const reader = body?.getReader();
  const before = process.memoryUsage().rss;
  for (let read = 0; read < 20; read += 1) expect((await reader?.read())?.done).toBe(false);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(process.memoryUsage().rss - before).toBeLessThan(100 << 20);
  await reader?.cancel();
});

test("E13: a packed answer that breaks when its reader has left does no harm", async () => {
  answer = (response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).write(gzipSync(WHOLE).subarray(0, 20));
    setTimeout(() => response.destroy(), 10);
  };
  const { body } = await platform(outgoing(url));
  const left = body?.getReader().read();
  left?.catch(() => undefined);
  await body?.cancel();
  const { body: other } = await platform(outgoing(url));
  await expect(other?.getReader().read()).rejects.toThrow("terminated");
  await expect(left).rejects.toBeInstanceOf(Error);
});

test("E15b: more packings than fetch unpacks are refused", async () => {
  answer = (response) => send(response, Array.from({ length: 6 }, () => "gzip").join(), WHOLE);
  const refused = platform(outgoing(url)).then((response) => response.text());
  await expect(refused).rejects.toMatchObject({ cause: { message: expect.stringContaining("too many") } });
});
