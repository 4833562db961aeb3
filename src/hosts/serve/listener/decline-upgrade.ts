import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

const OFFER = /^(?:connection|upgrade|http2-settings)$/i;

export function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}

/**
 * Serves a request that offers another protocol, such as that of `curl --http2`, as if it had not: HTTP lets a server ignore the offer,
 * but Node hands over the bare connection. The request goes through the parser again without the offer, its body included.
 */
export function declineUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders, headers } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const name = rawHeaders[place] as string;
    if (!OFFER.test(name)) lines.push(`${name}: ${rawHeaders[place + 1]}`);
  }
  if (/\bclose\b/i.test(headers.connection ?? "")) lines.push("connection: close");
  const text = `${lines.join("\r\n")}\r\n\r\n`;
  socket.unshift(Buffer.concat([Buffer.from(text, "latin1"), head]));
  server.emit("connection", socket);
}
