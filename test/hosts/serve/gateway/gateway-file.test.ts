import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { GatewayFile } from "../../../../src/hosts/serve/gateway/gateway-file.ts";
import { systemPorts } from "../../../../src/system/index.ts";
import { chatAnswer, sendJson, serve } from "../../../adapters/fetch/server.ts";
import { until } from "../../../support/until.ts";
import { newFolder } from "../support/test-server.ts";
import { fileFor, startGatewayServer } from "./gateway-server.ts";

describe("E17: gateway.json", () => {
  test.each<[string, (url: string) => string, RegExp]>([
    ["a syntax error", () => '{\n  "endpoints": {},\n  "aliases": {,}\n}', /gateway\.json: line 3: /],
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
    const file = new GatewayFile(path, { keysFor: () => [], ports: systemPorts() });
    let message = "";
    try {
      file.read();
    } catch (problem) {
      ({ message } = problem as Error);
    }
    expect(message).toMatch(says);
    expect(message).not.toContain("sk-secret");
  });

  test("E17: edited rightly and wrongly under load, fails no request, and what is valid applies", {
    timeout: 30_000,
  }, async () => {
    const other = await serve((_, response) => sendJson(response, 200, chatAnswer("other")));
    onTestFinished(() => other.close());
    const spies = [
      vi.spyOn(process, "emitWarning").mockImplementation(() => undefined),
      vi.spyOn(console, "error").mockImplementation(() => undefined),
    ];
    onTestFinished(() => spies.forEach((spy) => void spy.mockRestore()));
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
