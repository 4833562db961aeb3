import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { resilientFetch } from "../../src/adapters/fetch/index.ts";
import { createGateway } from "../../src/gateway/index.ts";
import { chatAnswer, sendJson, serve, type TestServer } from "../adapters/fetch/server.ts";

const POLICY = { require: { text: "yes" }, schedules: { general: { type: "fixed", delayMs: 1, atMost: 2 } } } as const;
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Its first answer lacks the required text; embeddings have none. */
async function listen(): Promise<TestServer> {
  const server = await serve(({ url, body }, response, count) => {
    const text = count === 1 ? "no" : "yes";
    if (url.endsWith("/embeddings")) return sendJson(response, 200, { data: [{ embedding: [1] }] });
    if (!body.includes('"stream":true')) return sendJson(response, 200, chatAnswer(text));
    const chunk = (delta: object, finish_reason: string | null): string =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`${chunk({ content: text }, null)}${chunk({}, "stop")}data: [DONE]\n\n`);
  });
  closing.push(server.close);
  return server;
}

async function behindGateway({ url }: TestServer): Promise<string> {
  const gateway = createGateway({ policy: POLICY, endpoints: { openai: { baseURL: `${url}/v1`, format: "openai" } } });
  const server = createServer((request, response) => gateway.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.unshift(
    () => gateway.close(),
    () => server.close(),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const post = (path: string, body: object) => [path, { method: "POST", body: JSON.stringify(body) }] as const;

for (const door of ["gateway", "fetch"] as const) {
  const open = async (server: TestServer): Promise<(path: string, body: object) => Promise<Response>> => {
    const base = door === "gateway" ? await behindGateway(server) : server.url;
    const call = door === "gateway" ? fetch : resilientFetch(POLICY);
    return (path, body) => call(...post(`${base}${path}`, body));
  };

  test.each([false, true])(
    `E16: an answer without the required text is asked for again through the ${door}, streamed: %s`,
    async (stream) => {
      const server = await listen();
      const ask = await open(server);
      const text = await (await ask("/v1/chat/completions", { model: "m", stream })).text();
      expect(text).toContain("yes");
      expect(text).not.toContain('"no"');
      expect(server.received).toHaveLength(2);
    },
  );

  test(`E16: embeddings have no text, so none is required of them through the ${door}`, async () => {
    const server = await listen();
    const ask = await open(server);
    expect((await ask("/v1/embeddings", { model: "m", input: "a" })).status).toBe(200);
    expect(server.received).toHaveLength(1);
  });
}
