import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";

const SRC = resolve(import.meta.dirname, "../../../src");

/** What a file loads before its first line runs: imports that are not types, and what those load. */
function loadedBy(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  if (!existsSync(file)) return seen;
  const text = readFileSync(file, "utf8").replace(/^(?:import|export) type [^;]*;/gm, "");
  for (const [, clause = "", specifier = ""] of text.matchAll(/^(?:import|export) ([^;]*?)from "([^"]+)";/gm)) {
    const names = /\{([^}]*)\}/.exec(clause)?.[1]?.split(",") ?? [];
    const isOnlyTypes = names.some((name) => name.trim() !== "") && names.every((name) => /^\s*(?:type |$)/.test(name));
    if (isOnlyTypes && !/^\w/.test(clause.trim())) continue;
    loadedBy(specifier.startsWith(".") ? resolve(dirname(file), specifier) : specifier, seen);
  }
  return seen;
}

test("B4: ask loads neither the store nor a schema nor a provider's SDK before it is needed", () => {
  const loaded = [...loadedBy(join(SRC, "hosts/ask/ask.ts"))];
  const foreign = loaded.filter((name) => !name.startsWith(SRC) && !name.startsWith("node:"));
  expect(foreign).toEqual(["picocolors"]);
  const folders = new Set(
    loaded.filter((name) => name.startsWith(SRC)).map((name) => relative(SRC, name).split("/")[0]),
  );
  expect([...folders].filter((name) => ["store", "session", "turn", "assembly"].includes(name as string))).toEqual([]);
  expect(loaded.filter((name) => name.includes("simulator/http/server/make-server"))).toEqual([]);
});

/** How long until a process has ended, or has made its first request. */
async function until(args: readonly string[], env: NodeJS.ProcessEnv, asked?: Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: "ignore" });
  const ended = once(child, "exit");
  await (asked ?? ended);
  const tookMs = performance.now() - startMs;
  await ended;
  return tookMs;
}

const median = (all: readonly number[]): number => [...all].sort((a, b) => a - b)[all.length >> 1] ?? Number.NaN;

/** Bundled as it is published. The margin is for machines that do several other things at the same time. */
test("B4: from its start to the first request ask takes a small multiple of what Node takes to do nothing", async () => {
  const folder = await mkdtemp(join(tmpdir(), "secondwind-start-"));
  const server = createServer((_, response) => {
    server.emit("asked");
    response.writeHead(400).end("{}");
  }).listen(0, "127.0.0.1");
  try {
    await writeFile(join(folder, "package.json"), '{"type":"module","version":"0.0.0"}');
    await build({
      ...{ entryPoints: [join(SRC, "cli.ts")], outdir: join(folder, "dist"), bundle: true, splitting: true },
      ...{
        format: "esm",
        platform: "node",
        target: "node20",
        external: ["libsql", "react-devtools-core"],
        logLevel: "error",
      },
      banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    });
    const { port } = server.address() as AddressInfo;
    const env = { PATH: process.env.PATH, HOME: folder, SECONDWIND_BOX_BASE_URL: `http://127.0.0.1:${port}/v1` };
    const bare: number[] = [];
    const ask: number[] = [];
    for (let round = 0; round < 7; round++) {
      bare.push(await until(["-e", "0"], env));
      ask.push(await until([join(folder, "dist/cli.js"), "ask", "-m", "box/any", "hi"], env, once(server, "asked")));
    }
    const ratio = median(ask) / median(bare);
    if (process.env.SHOW !== undefined)
      process.stdout.write(`ask ${median(ask)} bare ${median(bare)} ratio ${ratio}\n`);
    expect(ratio).toBeLessThan(9);
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}, 60_000);
