import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { resilientFetch } from "../../src/adapters/fetch/index.ts";
import { ask, gather, textOf, told } from "./provider-contract.ts";
import { openProvider } from "./support.ts";

test("E15b: text without end after the terminal marker does not keep an answer from ending", async () => {
  const chunk = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const server = createServer((incoming, response) => {
    incoming.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(chunk({ content: "Hello" }, "") + chunk({}, "stop"));
    const timer = setInterval(() => response.write(chunk({ content: " more" }, null)), 50);
    response.on("close", () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const provider = openProvider({ name: "p", speech: "openai-chat", baseUrl: `http://127.0.0.1:${port}/v1` });
  const reading = resilientFetch()(`http://127.0.0.1:${port}/v1/chat/completions`, {
    method: "POST",
    body: '{"model":"m","stream":true}',
  }).then((response) => response.text());
  const events = told(await gather(provider.stream(ask("m"), new AbortController().signal)));
  expect(await reading).toBe(chunk({ content: "Hello" }, "") + chunk({}, "stop"));
  server.closeAllConnections();
  server.close();
  expect(textOf(events)).toBe("Hello");
  expect(events.at(-1)).toEqual({ type: "finish", reason: "end" });
}, 20_000);
