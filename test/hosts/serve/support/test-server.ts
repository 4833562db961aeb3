import { mkdtempSync, rmSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { buildServer, type RunningServer, type ServerOptions } from "../../../../src/hosts/serve/build-server.ts";

export interface TestServer extends RunningServer {
  /** The home of the server: its key and access files are below it. */
  readonly home: string;
  readonly storePath: string;
  readonly token: string;
  /** `127.0.0.1:port`. */
  readonly host: string;
  ask(path: string, options?: AskOptions): Promise<Answer>;
}

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** An object is sent as JSON. */
  readonly body?: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: unknown;
}

/** A folder that is deleted after the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "secondwind-serve-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The real server on a free port, with a store of its own, stopped after the test. */
export async function startServer(
  options: Partial<ServerOptions> & { readonly home?: string } = {},
): Promise<TestServer> {
  const { home = newFolder(), ...rest } = options;
  const storePath = rest.storePath ?? join(home, "secondwind.db");
  const server = await buildServer({
    env: { HOME: home },
    version: "0.0.0-test",
    host: "127.0.0.1",
    port: 0,
    orNext: false,
    pageFolder: join(home, "no-page"),
    simulator: { timeScale: 0 },
    ...rest,
    storePath,
  });
  let isStopped = false;
  const stop = async (drainMs: number): Promise<void> => {
    isStopped = true;
    await server.stop(drainMs);
  };
  onTestFinished(async () => {
    if (!isStopped) await server.stop(0);
  });
  const host = `127.0.0.1:${server.port}`;
  const { token } = (await ask(server.port, "/api/session")).json as { readonly token: string };
  return {
    ...server,
    stop,
    ...{ home, storePath, token, host },
    ask: (path, given) => ask(server.port, path, given),
  };
}

/** One request, with whatever headers: `fetch` would not send them all. */
export function ask(
  port: number,
  path: string,
  { method = "GET", headers = {}, body }: AskOptions = {},
): Promise<Answer> {
  const text = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        port,
        path,
        method,
        host: "127.0.0.1",
        agent: false,
        headers: {
          ...(text !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
          ...(headers as Record<string, string | string[]>),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const all = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: all, json: parsed(all) });
        });
      },
    );
    sent.on("error", reject);
    sent.end(text);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
