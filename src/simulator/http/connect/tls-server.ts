import { createServer as createHttpsServer } from "node:https";
import { createServer, type Server, type Socket } from "node:net";
import { close, HOST, listen } from "./listen.ts";
import { type Certificate, selfSigned } from "./self-signed.ts";
import type { ConnectFaultServer } from "./start-connect-fault.ts";

export const TLS_FLAWS = ["self-signed", "expired", "wrong-host", "no-tls", "reset"] as const;
export type TlsFlaw = (typeof TLS_FLAWS)[number];

const DAY_MS = 86_400_000;

/**
 * Fault 5: TLS fails. `self-signed`: no authority has signed the certificate. `expired`, `wrong-host`: invalid even for a
 * client that trusts `ca`. `no-tls`: the server replies in plain text. `reset`: the connection is reset in the handshake.
 */
export async function tlsServer(flaw: TlsFlaw): Promise<ConnectFaultServer> {
  const now = Date.now();
  const until = new Date(flaw === "expired" ? now - DAY_MS : now + 30 * DAY_MS);
  const host = flaw === "wrong-host" ? "elsewhere.example" : HOST;
  const certificate = selfSigned(host, new Date(now - 30 * DAY_MS), until);
  const server = serverFor(flaw, certificate);
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
  });
  return {
    url: `https://${HOST}:${await listen(server)}`,
    ca: certificate.cert,
    close: async () => {
      const closed = close(server);
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function serverFor(flaw: TlsFlaw, certificate: Certificate): Server {
  switch (flaw) {
    case "no-tls":
      return createServer((socket) => void socket.end("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n"));
    case "reset":
      return createServer((socket) => void socket.once("data", () => socket.resetAndDestroy()));
    case "self-signed":
    case "expired":
    case "wrong-host":
      return createHttpsServer(certificate, (_request, response) => void response.end("unreachable"));
    default:
      return flaw satisfies never;
  }
}
