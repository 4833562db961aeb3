import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createGateway } from "../../src/gateway/index.ts";

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([
  ["POST", "/v1/chat/completions", 307],
  ["POST", "/v1/messages", 302],
  ["GET", "/v1/models", 301],
])(
  "the gateway neither follows a redirect nor passes it to the client, who would follow it with the key: %s %s %i",
  async (method, path, status) => {
    const asked: string[] = [];
    const elsewhere = await listen(
      createServer((request, response) => {
        asked.push(request.url ?? "");
        response.end("{}");
      }),
    );
    const upstream = await listen(
      createServer((_, response) => void response.writeHead(status, { location: `${elsewhere}/stolen` }).end()),
    );
    const gateway = createGateway({
      endpoints: {
        openai: { baseURL: `${upstream}/v1`, format: "openai" },
        anthropic: { baseURL: upstream, format: "anthropic" },
      },
      policy: { enabled: false },
    });
    const url = await listen(createServer((request, response) => gateway.handle(request, response)));
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { "x-api-key": "key-1" },
      ...(method === "POST" && { body: '{"model":"m","messages":[]}' }),
    });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.headers.get("location")).toBeNull();
    expect(((await response.json()) as { error: { message: string } }).error.message).toContain(String(status));
    expect(asked).toEqual([]);
    await gateway.close();
  },
);
