import { once } from "node:events";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { selfSigned } from "./self-signed.ts";
import { HOST, type Situation } from "./situation.ts";

export const TLS_FLAWS = ["self-signed", "expired", "wrong-host", "no-tls", "reset"] as const;
export type TlsFlaw = (typeof TLS_FLAWS)[number];

const DAY_MS = 86_400_000;

/**
 * Fault 5: TLS fails. `self-signed`: nobody has vouched for it. `expired`, `wrong-host`: even who trusts `ca` must refuse.
 * `no-tls`: plain text answers. `reset`: the connection is reset in the handshake.
 */
export async function tlsServer(flaw: TlsFlaw): Promise<Situation> {
  const now = Date.now();
  const { key, cert } = selfSigned({
    host: flaw === "wrong-host" ? "elsewhere.example" : HOST,
    notBefore: new Date(now - 30 * DAY_MS),
    notAfter: new Date(flaw === "expired" ? now - DAY_MS : now + 30 * DAY_MS),
  });
  const server = serverFor(flaw, { key, cert });
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(0, HOST);
  await once(server, "listening");
  return {
    url: `https://${HOST}:${(server.address() as AddressInfo).port}`,
    ca: cert,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function serverFor(flaw: TlsFlaw, certificate: { readonly key: string; readonly cert: string }): Server {
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
