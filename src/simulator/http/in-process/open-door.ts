import { type IncomingMessage, request, type Server } from "node:http";
import type { Socket } from "node:net";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { MemorySocket } from "./memory-socket.ts";

export type Fetch = typeof globalThis extends { readonly fetch: infer F } ? F : (url: string) => Promise<unknown>;

/** Servers that are reached without a port. */
export interface InProcessDoor {
  /** Reaches only these servers, by origin. It does not follow redirects. */
  readonly fetch: Fetch;
  /** Cuts off what is in progress. From then on `fetch` reaches nothing. */
  close(): void;
}

export function openDoor(servers: Map<string, Server>): InProcessDoor {
  const sockets = new Set<Socket>();
  for (const server of servers.values()) {
    server.on("connection", (socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    });
  }
  return {
    fetch: fetchFrom(servers),
    close() {
      servers.clear();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function fetchFrom(servers: ReadonlyMap<string, Server>): Fetch {
  return async (input, init) => {
    const asked = new Request(input, { ...init, signal: null });
    const { origin } = new URL(asked.url);
    const body = Buffer.from(await asked.arrayBuffer());
    // After the body: the servers may have gone meanwhile.
    const server = servers.get(origin);
    if (server === undefined) throw new TypeError(`fetch failed: no simulator at ${origin} in this process`);
    try {
      init?.signal?.throwIfAborted();
      return toResponse(await exchange(server, asked, body, init?.signal));
    } catch (fault) {
      if (init?.signal?.aborted === true) throw init.signal.reason;
      // Like the real `fetch`: the reason is in `cause`.
      throw new TypeError("fetch failed", { cause: fault });
    }
  };
}

function exchange(server: Server, asked: Request, body: Buffer, signal?: AbortSignal | null): Promise<IncomingMessage> {
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
        message.once("error", sayCut);
        resolve(message);
      },
    );
    let received: IncomingMessage | undefined;
    // Not the request's own `signal`: reading the body would fail with a broken connection instead of the reason.
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
  // node:http needs a duplex; only its type asks for a socket.
  return near as unknown as Socket;
}

function toResponse(message: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage = "", headers } = message;
  const flat = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const isBodyless = status === 204 || status === 304;
  if (isBodyless) message.resume();
  const body = isBodyless ? null : toWebStream(decoded(message));
  return new Response(body, { status, statusText: statusMessage, headers: flat });
}

/** What has arrived since the last read comes as one chunk, as from a real socket. `Readable.toWeb` would give it in the pieces it was sent in. */
function toWebStream(source: Readable): ReadableStream<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => void source.destroy(),
    },
    { highWaterMark: 0 },
  );
}

function decoded(message: IncomingMessage): Readable {
  if (message.headers["content-encoding"] !== "gzip") return message;
  // The stream itself reports the fault to its reader.
  return pipeline(message, createGunzip(), () => undefined);
}

/** Node calls a connection that the server has cut "aborted", which reads as if the client had left. */
function sayCut(fault: NodeJS.ErrnoException): void {
  if (fault.code === "ECONNRESET" && fault.message === "aborted")
    fault.message = "The connection closed before the answer was complete";
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
