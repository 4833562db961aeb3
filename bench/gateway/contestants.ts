import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type Child, startChild } from "./children.ts";

export const CONTESTANTS = ["direct", "pipe", "hono", "portkey", "nginx", "prototype", "relay", "secondwind"] as const;
export type Name = (typeof CONTESTANTS)[number];

/** A gateway that runs, and what a request to it needs. Without a child there is no gateway: requests go to the upstream. */
export interface Contestant {
  readonly name: Name;
  readonly child: Child | undefined;
  readonly target: { readonly port: number; readonly headers: Readonly<Record<string, string>> };
}

/** Each contestant has this core to itself; the clients and the upstream are on another one. */
const CORE = 0;

/** Why a contestant is not there. The others run without it. */
export class Unavailable extends Error {}

const OURS = at("../../src/gateway/index.ts");
const BUNDLE = at("../../node_modules/.cache/bench-gateway/serve-secondwind.mjs");
const PORTKEY = at("portkey/node_modules/@portkey-ai/gateway/build/start-server.js");

function at(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

/** Once for each run: installs and compiles what the contestant needs. Throws `Unavailable`. */
export async function prepare(name: Name): Promise<void> {
  if (name === "secondwind") {
    if (!existsSync(OURS)) throw new Unavailable("src/gateway/index.ts does not exist");
    await build({
      entryPoints: [at("serve-secondwind.mjs")],
      outfile: BUNDLE,
      bundle: true,
      packages: "external",
      platform: "node",
      format: "esm",
      target: "node20",
      logLevel: "error",
    });
  }
  if (name === "nginx" && spawnSync("nginx", ["-v"]).error !== undefined)
    throw new Unavailable("nginx is not installed");
  if (name === "portkey" && !existsSync(PORTKEY)) installPortkey();
}

function installPortkey(): void {
  console.error("Installing @portkey-ai/gateway in bench/gateway/portkey …");
  const flags = ["install", "--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"];
  try {
    execFileSync("npm", flags, { cwd: at("portkey"), stdio: ["ignore", "ignore", "pipe"], timeout: 120_000 });
  } catch (error) {
    throw new Unavailable(`npm could not install it: ${error instanceof Error ? error.message : error}`);
  }
}

/** Starts a fresh process that forwards to the upstream. */
export async function start(name: Name, upstreamPort: number): Promise<Contestant> {
  const upstream = `http://127.0.0.1:${upstreamPort}`;
  const headers = {
    host: "127.0.0.1",
    authorization: "Bearer sk-bench",
    "content-type": "application/json",
    accept: "application/json",
    "user-agent": "OpenAI/JS 6.49.0",
  };
  switch (name) {
    case "direct":
      return { name, child: undefined, target: { port: upstreamPort, headers } };
    case "portkey": {
      const port = await freePort();
      const child = await startChild(PORTKEY, [`--port=${port}`, "--headless"], { port, core: CORE });
      const routing = { "x-portkey-provider": "openai", "x-portkey-custom-host": `${upstream}/v1` };
      return { name, child, target: { port, headers: { ...headers, ...routing } } };
    }
    case "nginx": {
      const port = await freePort();
      const child = await startChild(at("serve-nginx.mjs"), [upstream, String(port)], { port, core: CORE });
      return { name, child, target: { port, headers } };
    }
    case "pipe":
    case "hono":
    case "prototype":
    case "relay":
    case "secondwind": {
      const child = await startChild(name === "secondwind" ? BUNDLE : at(`serve-${name}.mjs`), [upstream], {
        core: CORE,
      });
      return { name, child, target: { port: child.port, headers } };
    }
    default:
      return name satisfies never;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
