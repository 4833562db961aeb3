import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { serve, type TestServer as Upstream } from "../../../adapters/fetch/server.ts";
import { newFolder, startServer, type TestServer } from "../support/test-server.ts";

export interface GatewayServer extends TestServer {
  readonly upstream: Upstream;
  /** Replaces `gateway.json`, as an editor does. */
  edit(text: string): void;
}

/** The file for an endpoint of each format at one origin. */
export function fileFor(origin: string, more: object = {}): string {
  const endpoints = {
    openai: { baseURL: `${origin}/v1`, format: "openai" },
    anthropic: { baseURL: `${origin}/v1`, format: "anthropic" },
    google: { baseURL: `${origin}/v1beta`, format: "gemini" },
  };
  return JSON.stringify({ endpoints, ...more }, null, 2);
}

/** The real server with an endpoint of the test behind its gateway. */
export async function startGatewayServer(
  answer: Parameters<typeof serve>[0],
  options: Parameters<typeof startServer>[0] = {},
): Promise<GatewayServer> {
  const upstream = await serve(answer);
  onTestFinished(() => upstream.close());
  const home = options.home ?? newFolder();
  const folder = join(home, ".config", "secondwind");
  mkdirSync(folder, { recursive: true });
  const edit = (text: string): void => {
    writeFileSync(join(folder, "gateway.new"), text);
    renameSync(join(folder, "gateway.new"), join(folder, "gateway.json"));
  };
  edit(fileFor(upstream.url));
  return { ...(await startServer({ ...options, home })), upstream, edit };
}
