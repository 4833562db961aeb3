import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { addKey, keyFilePath } from "../../../../src/credentials/index.ts";
import { GatewayFile } from "../../../../src/hosts/serve/gateway/gateway-file.ts";
import { chatAnswer, sendJson, serve } from "../../../adapters/fetch/server.ts";
import { until } from "../../../support/until.ts";
import { newFolder, startServer } from "../support/test-server.ts";
import { fileFor, startGatewayServer } from "./gateway-server.ts";

describe("E17: gateway.json", () => {
  test.each<[string, (url: string) => string, RegExp]>([
    ["a syntax error", () => '{\n  "endpoints": {},\n  "aliases": {,}\n}', /gateway\.json: line 3: /],
    [
      "a mistake that Node does not place",
      () => '{\n  "endpoints": {\n    "a": }\n  }\n}\n',
      /gateway\.json: line 3: /,
    ],
    ["a comment", () => '{\n  // mine\n  "endpoints": {}\n}\n', /gateway\.json: line 2: /],
    ["nothing", () => "\n", /gateway\.json: line 1: /],
    ["an end too early", () => '{\n  "endpoints": {', /gateway\.json: line 2: /],
    ["an unknown field", () => '{"endpoint": {}}', /gateway\.json: endpoint must be absent/],
    [
      "a key in the file",
      (url) => `{"endpoints":{"x":{"baseURL":"${url}","format":"openai","keys":"sk-secret"}}}`,
      /endpoints\.x\.keys .*vault/,
    ],
    [
      "an empty vault",
      (url) => `{"endpoints":{"x":{"baseURL":"${url}","format":"openai","keys":"vault"}}}`,
      /endpoints\.x\.keys .*keys add/,
    ],
    [
      "no key for a provider",
      () => '{"endpoints":{"groq":{"baseURL":"https://api.groq.com/openai/v1","format":"openai","keys":"vault"}}}',
      /secondwind keys add groq; got/,
    ],
    [
      "no key for an address",
      (url) => `{"endpoints":{"x":{"baseURL":"${url}/v1","format":"anthropic","keys":"vault"}}}`,
      /secondwind keys add anthropic --base-url http:\/\/127\.0\.0\.1:1\/v1; got/,
    ],
    [
      "an unknown policy",
      (url) => fileFor(url, { aliases: { a: { models: ["openai/m"], policy: "best" } } }),
      /aliases\.a\.policy .*default/,
    ],
    [
      "a policy with a mistake",
      (url) => fileFor(url, { aliases: { a: { models: ["openai/m"], policy: { patienceMs: -1 } } } }),
      /gateway\.json: aliases\.a\.policy\.patienceMs must be/,
    ],
    ["another format", (url) => fileFor(url, { aliases: { a: ["openai/m", "google/m"] } }), /aliases\.a\.models\[1\]/],
  ])("E17: %s is an error that names the line or the field, without any key", (_, text, says) => {
    const path = join(newFolder(), "gateway.json");
    writeFileSync(path, text("http://127.0.0.1:1"));
    const file = new GatewayFile(path, { keysFor: () => [], say: () => undefined });
    let message = "";
    try {
      file.read();
    } catch (problem) {
      ({ message } = problem as Error);
    }
    expect(message).toMatch(says);
    expect(message).not.toContain("sk-secret");
  });

  test("E17: an endpoint with a name of its own gets the keys that are stored for its address, and no others", async () => {
    const home = newFolder();
    const upstream = await serve((_, response) => sendJson(response, 200, chatAnswer("hi")));
    onTestFinished(() => upstream.close());
    const origin = new URL(upstream.url).origin;
    const keys = keyFilePath({ HOME: home });
    await addKey(keys, { provider: "openai", secret: "key-of-this-address", origin });
    await addKey(keys, { provider: "openai", secret: "key-of-elsewhere", origin: "https://api.openai.com" });
    const endpoints = { mine: { baseURL: `${upstream.url}/v1`, format: "openai", keys: "vault" } };
    writeFileSync(join(dirname(keys), "gateway.json"), JSON.stringify({ endpoints }));
    const server = await startServer({ home });
    const headers = { authorization: "Bearer of-the-client" };
    await server.ask("/mine/v1/chat/completions", { method: "POST", headers, body: { model: "m" } });
    expect(upstream.received.map((one) => one.headers.authorization)).toEqual(["Bearer key-of-this-address"]);
  });

  test("E17: edited rightly and wrongly under load, fails no request, and what is valid applies", {
    timeout: 30_000,
  }, async () => {
    const other = await serve((_, response) => sendJson(response, 200, chatAnswer("other")));
    onTestFinished(() => other.close());
    const said = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
    onTestFinished(() => said.mockRestore());
    const server = await startGatewayServer((_, response) =>
      setTimeout(() => sendJson(response, 200, chatAnswer("hi")), 5),
    );
    let isOver = false;
    const statuses: number[] = [];
    const load = async (): Promise<void> => {
      while (!isOver) {
        const { status } = await server.ask("/v1/chat/completions", { method: "POST", body: { model: "fast" } });
        statuses.push(status);
      }
    };
    const loads = Array.from({ length: 4 }, load);
    const models = (): readonly string[] => server.upstream.received.map(({ body }) => JSON.parse(body).model);
    await until(() => models().length > 5);
    server.edit('{"aliases": nonsense');
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect(new Set(models())).toEqual(new Set(["fast"]));
    expect(said.mock.calls.map(([text]) => String(text)).join("")).toMatch(
      /^secondwind: .*gateway\.json: line 1: .*\. The previous configuration still applies\.\n$/,
    );
    server.edit(fileFor(server.upstream.url, { aliases: { fast: ["openai/real"] } }));
    await until(() => models().includes("real"));
    server.edit(fileFor(other.url));
    await until(() => other.received.length > 0);
    isOver = true;
    await Promise.all(loads);
    expect(statuses.length).toBeGreaterThan(20);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  });
});
