import { describe, expect, test } from "vitest";
import { sendJson } from "../../../adapters/fetch/server.ts";
import { type Answer, startServer } from "../support/test-server.ts";
import { fileFor, type GatewayServer, startGatewayServer } from "./gateway-server.ts";

const retries = (atMost: number) => ({
  schedules: { general: { type: "fixed", delayMs: 1, atMost } },
  breaker: null,
  budget: null,
});
const withPolicy = (server: GatewayServer, policy: string): string =>
  fileFor(server.upstream.url, { aliases: { smart: { models: ["openai/m"], policy } } });

const started = (): Promise<GatewayServer> =>
  startGatewayServer((_, response, count) => sendJson(response, 503, { error: { message: `down ${count}` } }));

function write(server: GatewayServer, method: string, policy: string, body?: unknown): Promise<Answer> {
  const headers = { "x-secondwind-token": server.token };
  return server.ask(`/api/policies/${encodeURIComponent(policy)}`, {
    method,
    headers,
    ...(body !== undefined && { body }),
  });
}

/** How many calls one request makes that fails. */
async function callsOf(server: GatewayServer, model = "smart"): Promise<number> {
  const before = server.upstream.received.length;
  // Never the same request: one that was given up is not tried so often again.
  const body = { model, content: String(before + Math.random()) };
  // The default policy, which applies until the file is read, would wait for minutes.
  const headers = { "x-secondwind-max-wait": "0.1" };
  expect((await server.ask("/v1/chat/completions", { method: "POST", headers, body })).status).toBe(503);
  return server.upstream.received.length - before;
}

/** The file is looked at every half a second. Use many calls: the default policy makes two or three if its random delays are short. */
async function untilCallsAre(server: GatewayServer, calls: number): Promise<void> {
  while ((await callsOf(server)) !== calls) await new Promise((resolve) => setTimeout(resolve, 100));
}

describe("E17: an own policy of the page in gateway.json", () => {
  test("E17: is chosen by its name, counts as it is edited, and shows in the activity", async () => {
    const server = await started();
    await write(server, "PUT", "six more", { from: "default", policy: retries(6) });
    server.edit(withPolicy(server, "six more"));
    await untilCallsAre(server, 7);
    await write(server, "PUT", "six more", { from: "default", policy: retries(4) });
    expect(await callsOf(server)).toBe(5);
    const { json } = await server.ask("/api/activity");
    const [latest] = (json as { readonly records: readonly { readonly policy: string }[] }).records;
    expect(latest?.policy).toBe("six more");
  });

  test("E17: can't be deleted as long as an alias has it", async () => {
    const server = await started();
    await write(server, "PUT", "mine", { from: "default", policy: retries(6) });
    server.edit(withPolicy(server, "mine"));
    await untilCallsAre(server, 7);
    const refused = await write(server, "DELETE", "mine");
    expect(refused.status).toBe(409);
    expect(refused.text).toContain("mine is the policy of the alias smart in gateway.json");
    server.edit(fileFor(server.upstream.url));
    while ((await write(server, "DELETE", "mine")).status !== 204)
      await new Promise((resolve) => setTimeout(resolve, 100));
  });

  test("E17: is there when the server starts again; a name that is not there is an error that lists those that are", async () => {
    const server = await started();
    const { home, storePath } = server;
    await write(server, "PUT", "mine", { from: "default", policy: retries(2) });
    server.edit(withPolicy(server, "mine"));
    await server.stop(0);
    const again = await startServer({ home, storePath });
    expect(await callsOf({ ...server, ...again })).toBe(3);
    await again.stop(0);
    server.edit(withPolicy(server, "thine"));
    await expect(startServer({ home, storePath })).rejects.toThrow(
      /gateway\.json: aliases\.smart\.policy must be a policy, or one of default, .*, mine; got "thine"/,
    );
  });
});
