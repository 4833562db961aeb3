import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";

interface File {
  readonly body: string;
  readonly type: string;
}

/** Serves the host's page and our script on loopback. */
export async function serveHost(script: string): Promise<{ readonly server: Server; readonly port: number }> {
  const files = await readFiles(script);
  const server = createServer((request, response) => {
    const file = files[(request.url ?? "").replace(/\?.*/, "")];
    response.writeHead(file === undefined ? 404 : 200, {
      "content-type": file?.type ?? "text/plain",
      // Cached: the files are the same for every test.
      "cache-control": "max-age=3600",
    });
    response.end(file?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

async function readFiles(script: string): Promise<Readonly<Record<string, File>>> {
  const folder = join(import.meta.dirname, "../page");
  const entryPoints = [join(folder, "host-page.ts")];
  const bundled = await build({ entryPoints, bundle: true, format: "iife", write: false });
  const vue = createRequire(import.meta.url).resolve("vue/dist/vue.runtime.global.prod.js");
  const style = await readFile(join(folder, "style.css"), "utf8");
  const html = `<!doctype html><html><head><meta charset="utf-8"><link rel="icon" href="data:,"><style>${style}</style></head><body>
<div id="extensions_settings2"></div><div id="send_but">send</div><div id="mes_stop">stop</div><script src="/host.js"></script></body></html>`;
  return {
    "/": { body: html, type: "text/html" },
    "/host.js": { body: bundled.outputFiles[0]?.text ?? "", type: "text/javascript; charset=utf-8" },
    "/vue.js": { body: await readFile(vue, "utf8"), type: "text/javascript; charset=utf-8" },
    "/script.txt": { body: script, type: "text/plain; charset=utf-8" },
  };
}
