import { expect, onTestFinished, test } from "vitest";
import { resilientFetch } from "../../src/adapters/fetch/index.ts";
import { serve, type TestServer } from "../adapters/fetch/server.ts";

const QUICK = { schedules: { general: { type: "fixed", delayMs: 1, atMost: 1 } } } as const;
const PAGE = Buffer.from("<p>No such page</p>".repeat(20_000));
const IMAGE = Buffer.from([0x89, 0x50, 0xff, 0xfe, 0x00]);

async function refusing(status: number, body: Buffer, type: string): Promise<TestServer> {
  const server = await serve((_, response) => {
    response.writeHead(status, { "content-type": type });
    response.end(body);
  });
  onTestFinished(() => server.close());
  return server;
}

test.each([
  ["a long page", 404, "GET", PAGE, "text/html"],
  ["an image", 404, "GET", IMAGE, "image/png"],
  ["a long page of a call that is sent once", 503, "POST", PAGE, "text/html"],
  ["a long page after a retry", 503, "GET", PAGE, "text/html"],
  ["a page without content", 404, "GET", Buffer.alloc(0), "text/html"],
])("E14: a refusal of a call that is no generation comes as it is: %s", async (_, status, method, body, type) => {
  const server = await refusing(status, body, type);
  const response = await resilientFetch(QUICK)(`${server.url}/page`, { method });
  expect(response.status).toBe(status);
  expect(Buffer.from(await response.arrayBuffer()).equals(body)).toBe(true);
  expect(response.headers.get("x-secondwind-attempts")).toBe(String(server.received.length));
});
