import type { ServerResponse } from "node:http";
import OpenAI from "openai";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { resilientFetch } from "../../src/adapters/fetch/index.ts";
import { serve, type TestServer } from "../adapters/fetch/server.ts";

let server: TestServer;
let closed: Promise<void>;

/** Sends a first event, and never a second one. */
beforeEach(async () => {
  let onClosed = (): void => undefined;
  closed = new Promise((resolve) => {
    onClosed = resolve;
  });
  server = await serve((_, response: ServerResponse) => {
    response.on("close", onClosed);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write('event: response.created\ndata: {"type":"response.created"}\n\n');
  });
  onTestFinished(() => server.close());
});

describe("E13: an abort reaches the body of a call that is no generation", () => {
  test.each([
    ["by a signal of the init", (url: string, signal: AbortSignal) => resilientFetch()(url, { signal })],
    ["by a signal of a Request", (url: string, signal: AbortSignal) => resilientFetch()(new Request(url, { signal }))],
    [
      "through a fetch of the caller's own",
      (url: string, signal: AbortSignal) =>
        resilientFetch({}, { fetch: (to, init) => fetch(to, init) })(url, { signal }),
    ],
  ])("E13: %s", async (_, ask) => {
    const abort = new AbortController();
    const response = await ask(`${server.url}/v1/files/f1/content`, abort.signal);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    const next = reader.read();
    const reason = new Error("The user has left");
    abort.abort(reason);
    await expect(next).rejects.toBe(reason);
    await closed;
  });

  test("E13: an abort ends the stream of a background response", async () => {
    const abort = new AbortController();
    const client = new OpenAI({ apiKey: "k", baseURL: `${server.url}/v1`, maxRetries: 0, fetch: resilientFetch() });
    const stream = await client.responses.retrieve("r1", { stream: true }, { signal: abort.signal });
    const types: string[] = [];
    for await (const { type } of stream) {
      types.push(type);
      abort.abort();
    }
    expect(types).toEqual(["response.created"]);
    await closed;
  });

  test("E13: an abort of a signal of another implementation ends the body", async () => {
    const foreign = Object.assign(new EventTarget(), { aborted: false, reason: undefined as unknown });
    const signal = foreign as unknown as AbortSignal;
    const response = await resilientFetch()(`${server.url}/v1/files/f1/content`, { signal });
    const text = response.text();
    foreign.aborted = true;
    foreign.reason = new Error("The user has left");
    foreign.dispatchEvent(new Event("abort"));
    await expect(text).rejects.toBe(foreign.reason);
    await closed;
  });
});
