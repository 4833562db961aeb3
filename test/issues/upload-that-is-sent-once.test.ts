import OpenAI, { toFile } from "openai";
import { describe, expect, onTestFinished, test } from "vitest";
import { resilientFetch } from "../../src/adapters/fetch/index.ts";
import { chatAnswer, sendJson, serve, type TestServer } from "../adapters/fetch/server.ts";
import { askRaw } from "../gateway/support/raw-request.ts";
import { endpointsAt, gatewayOfTest } from "../gateway/support/start-gateway.ts";

const DOWN = { error: { message: "The server is overloaded", type: "server_error" } };
const SOON = { "retry-after-ms": "1" };

/** Fails as often as said, then answers. */
async function failing(times: number, headers: object = SOON): Promise<TestServer> {
  const server = await serve((_, response, count) =>
    count <= times ? sendJson(response, 503, DOWN, headers) : sendJson(response, 200, chatAnswer("Hello")),
  );
  onTestFinished(() => server.close());
  return server;
}

const upload = async (client: OpenAI): Promise<unknown> =>
  client.files.create({ purpose: "batch", file: await toFile(Buffer.from("{}"), "a.jsonl") });

describe("B3: what is sent only once by the fetch door is left to the SDK's own retries", () => {
  test.each([
    ["an image", (client: OpenAI): Promise<unknown> => client.images.generate({ prompt: "A storm" })],
    ["an upload", upload],
  ])("B3: %s that is refused is retried by the SDK", async (_, ask) => {
    const server = await failing(1);
    await ask(new OpenAI({ apiKey: "k", baseURL: `${server.url}/v1`, fetch: resilientFetch() }));
    expect(server.received).toHaveLength(2);
  });

  test("B3: a generation whose policy is switched off is retried by the SDK", async () => {
    const server = await failing(2);
    const fetch = resilientFetch({ enabled: false });
    const client = new OpenAI({ apiKey: "k", baseURL: `${server.url}/v1`, fetch });
    await client.chat.completions.create({ model: "m", messages: [{ role: "user", content: "Hi" }] });
    expect(server.received).toHaveLength(3);
  });

  test("B3: a body that can be read only once is not sent again by anyone", async () => {
    const server = await failing(1);
    const body = new Blob(["{}"]).stream();
    const init = { method: "POST", body, duplex: "half" };
    const response = await resilientFetch()(`${server.url}/v1/files`, init as RequestInit);
    expect(response.headers.get("x-should-retry")).toBe("false");
  });

  test.each(["true", "false"])("B3: the endpoint's own x-should-retry: %s is passed on", async (word) => {
    const server = await failing(1, { ...SOON, "x-should-retry": word });
    const response = await resilientFetch()(`${server.url}/v1/files`, { method: "POST", body: "{}" });
    expect(response.headers.get("x-should-retry")).toBe(word);
  });
});

test.each([undefined, "true", "false"])(
  "B3: the gateway passes on the endpoint's own x-should-retry: %s for what it sends only once",
  async (word) => {
    const upstream = await failing(1, { ...SOON, ...(word !== undefined && { "x-should-retry": word }) });
    const { port } = await gatewayOfTest({ endpoints: endpointsAt(upstream.url) });
    const answer = await askRaw(port, "/v1/files", { method: "POST", body: "{}" });
    expect(answer.status).toBe(503);
    expect(answer.headers["x-should-retry"]).toBe(word);
    expect(upstream.received).toHaveLength(1);
  },
);
