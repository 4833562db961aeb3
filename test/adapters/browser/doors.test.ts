import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectFaults, openPage, usePages } from "../../hosts/web/support/open-page.ts";
import { serve, type TestServer } from "../fetch/server.ts";

usePages();
let server: TestServer;
const calls = new Map<string, number>();

/** Everything on one origin: the page, its scripts, and an endpoint that refuses each first call and cuts one stream. */
beforeAll(async () => {
  const scripts = { "/page.js": await bundle(PAGE), "/worker.js": await bundle(WORKER) };
  server = await serve((request, response) => {
    const path = request.url;
    if (path === "/")
      return void response.writeHead(200, { "content-type": "text/html" }).end('<script src="/page.js"></script>');
    if (path === "/favicon.ico") return void response.writeHead(204).end();
    if (path in scripts) {
      response.writeHead(200, { "content-type": "text/javascript" });
      return void response.end(scripts[path as keyof typeof scripts]);
    }
    const count = (calls.get(path) ?? 0) + 1;
    calls.set(path, count);
    if (count % 2 === 1)
      return void response.writeHead(503, { "content-type": "application/json" }).end('{"error":{}}');
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(chunk({ content: "Hello" }));
    if (!path.startsWith("/cut")) response.write(`${chunk({}, "stop")}data: [DONE]\n\n`);
    response.end();
  });
});
afterAll(() => server.close());

const PAGE = 'import { makeCalls } from "./calls.ts"; globalThis.makeCalls = makeCalls;';
const WORKER = 'import { makeCalls } from "./calls.ts"; makeCalls().then((found) => postMessage(found));';

async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    format: "iife",
    platform: "browser",
    target: "es2022",
    write: false,
    logLevel: "silent",
    // The pattern's worker is started on demand, which nothing here does.
    external: ["*?worker-source", "*/worker-source"],
  });
  return outputFiles[0]?.text ?? "";
}

function chunk(delta: object, finish: string | null = null): string {
  return `data: ${JSON.stringify({ id: "1", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
}

const EXPECTED = {
  fetch: "true 2",
  cut: expect.stringContaining("ended without its terminal marker"),
  aiSdk: "Hello",
  plain: "200",
};

test("E14: resilient, resilientFetch and resilientModel work unchanged in a page", async () => {
  // The browser reports each refusal.
  expectFaults(/503/);
  const page = await openPage(server.url);
  const found = await page.evaluate(() => (globalThis as unknown as { makeCalls(): unknown }).makeCalls());
  expect(found).toEqual(EXPECTED);
});

test("E14: they work unchanged in a worker", async () => {
  // The browser reports each refusal.
  expectFaults(/503/);
  const page = await openPage(server.url);
  // As text: the compiler does not know a page's globals here.
  const found = await page.evaluate(
    'new Promise((resolve) => { new Worker("/worker.js").onmessage = ({ data }) => resolve(data); })',
  );
  expect(found).toEqual(EXPECTED);
});
