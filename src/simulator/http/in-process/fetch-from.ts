import { type IncomingMessage, request, type Server } from "node:http";
import type { Socket } from "node:net";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { MemorySocket } from "./memory-socket.ts";

export type Fetch = typeof globalThis.fetch;

/** A `fetch` that reaches these servers, by origin, and nobody else. Redirects are the caller's business. */
export function fetchFrom(servers: ReadonlyMap<string, Server>): Fetch {
  return async (input, init) => {
    const asked = new Request(input, { ...init, signal: null });
    const { origin } = new URL(asked.url);
    const server = servers.get(origin);
    if (server === undefined) throw new TypeError(`fetch failed: nobody answers at ${origin} in this process`);
    const body = Buffer.from(await asked.arrayBuffer());
    try {
      const signal = init?.signal ?? undefined;
      signal?.throwIfAborted();
      return toResponse(await exchange({ server, asked, body, signal }));
    } catch (fault) {
      if (init?.signal?.aborted === true) throw init.signal.reason;
      // As the real one does: the cause says what happened.
      throw new TypeError("fetch failed", { cause: fault });
    }
  };
}

interface Exchange {
  readonly server: Server;
  readonly asked: Request;
  readonly body: Buffer;
  readonly signal: AbortSignal | undefined;
}

function exchange({ server, asked, body, signal }: Exchange): Promise<IncomingMessage> {
  const url = new URL(asked.url);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: url.hostname,
        path: url.pathname + url.search,
        method: asked.method,
        headers: { ...Object.fromEntries(asked.headers), host: url.host, "content-length": body.length },
        createConnection: () => connect(server),
      },
      (message) => {
        received = message;
        resolve(message);
      },
    );
    let received: IncomingMessage | undefined;
    // Not the request's own `signal`: whoever reads the body would hear of a broken connection instead of the reason.
    const leave = (): void => void (received ?? sent).destroy(asError(signal?.reason));
    signal?.addEventListener("abort", leave, { once: true });
    sent.on("close", () => signal?.removeEventListener("abort", leave));
    sent.on("error", reject);
    sent.end(body);
  });
}

function connect(server: Server): Socket {
  const [near, far] = MemorySocket.pair();
  server.emit("connection", far);
  // node:http wants a duplex and says a socket.
  return near as unknown as Socket;
}

function toResponse(message: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage = "", headers } = message;
  const flat = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  const isBodyless = status === 204 || status === 304;
  if (isBodyless) message.resume();
  const body = isBodyless ? null : (Readable.toWeb(decoded(message)) as unknown as ReadableStream<Uint8Array>);
  return new Response(body, { status, statusText: statusMessage, headers: flat.map(([name, value]) => [name, value]) });
}

function decoded(message: IncomingMessage): Readable {
  if (message.headers["content-encoding"] !== "gzip") return message;
  // The reader gets the fault from the stream itself.
  return pipeline(message, createGunzip(), () => undefined);
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
