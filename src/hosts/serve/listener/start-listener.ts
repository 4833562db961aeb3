import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Limits } from "./limits.ts";
import { writeError } from "./send-error.ts";

/** A taken port is followed by the next ones, this many at most. */
const PORTS_TO_TRY = 20;
/** Node looks for requests that take too long this often. */
const CHECK_MS = 1000;

export interface Address {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** True: if the port is taken, the next free one is used. */
  readonly orNext: boolean;
}

/** Node's own mark of the answer that is being sent on a socket. */
interface Answering {
  readonly _httpMessage?: { readonly headersSent?: boolean };
}

/** The server with its limits. It does not listen yet. */
export function makeListener(limits: Limits): Server {
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: CHECK_MS,
    // Two lengths, or a length and chunks: where one request ends is then a matter of opinion.
    insecureHTTPParser: false,
    noDelay: true,
  });
  server.maxConnections = limits.connections;
  // Their bytes are limited. Node would drop headers beyond the count, and the guard would not see them.
  server.maxHeadersCount = 0;
  server.on("clientError", (fault: NodeJS.ErrnoException, socket: Socket & Answering) => {
    // In the middle of an answer, another one would be taken for a part of it.
    if (socket._httpMessage?.headersSent === true) socket.destroy();
    else writeError(socket, problemOf(fault));
  });
  return server;
}

function problemOf({ code }: NodeJS.ErrnoException): { readonly status: number; readonly message: string } {
  if (code === "HPE_HEADER_OVERFLOW") return { status: 431, message: "The headers of the request are too large" };
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return { status: 408, message: "The request took too long to arrive" };
  return { status: 400, message: "Not a valid HTTP request" };
}

/** Resolves with the port once the server listens. */
export async function listen(server: Server, { host, port, orNext }: Address): Promise<number> {
  for (let tried = 0; ; tried += 1) {
    try {
      return await listenOn(server, host, port + tried);
    } catch (fault) {
      const isTaken = (fault as NodeJS.ErrnoException).code === "EADDRINUSE";
      if (!isTaken) throw explain(fault, host);
      if (!orNext || tried >= PORTS_TO_TRY || port + tried >= 65_535)
        throw new Error(`Port ${port + tried} is in use. Choose another with --port, or 0 for any free port.`);
    }
  }
}

function listenOn(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function explain(fault: unknown, host: string): unknown {
  const { code } = fault as NodeJS.ErrnoException;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN")
    return new Error(`This machine has no address ${JSON.stringify(host)}. Choose another with --host.`);
  if (code === "EACCES") return new Error("Not allowed to listen on this port. Choose one above 1023 with --port.");
  return fault;
}
