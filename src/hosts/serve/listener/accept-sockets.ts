import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { Caller } from "../guard/caller.ts";
import { judgeRequest, type Rules } from "../guard/judge-request.ts";
import { REFUSALS } from "../guard/refusals.ts";
import type { WrongKeys } from "../guard/wrong-keys.ts";
import type { Limits } from "./limits.ts";
import { writeError } from "./send-error.ts";

const WINDOW_MS = 10_000;
/** Close codes of RFC 6455. */
const GOING_AWAY = 1001;
const TOO_MANY = 1008;

/** Speaks the protocol on a socket that has passed the guard. */
export type OpenSocket = (socket: WebSocket, caller: Caller) => void;

interface SocketParts {
  readonly rules: Rules;
  readonly wrongKeys: WrongKeys;
  readonly limits: Limits;
  /** Paths of the gateway: no WebSocket is there, and a client that is told so falls back to plain requests. */
  readonly isElsewhere: (path: string) => boolean;
  readonly open: OpenSocket;
}

export interface Sockets {
  /** Listener of the server's event `upgrade`. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  readonly size: number;
  /** Accepts no new socket. */
  refuse(): void;
  /** Ends every socket with "going away". */
  close(): void;
}

/** WebSockets on `/ws`, with the same guard as requests. */
export function acceptSockets({ rules, wrongKeys, limits, isElsewhere, open }: SocketParts): Sockets {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: limits.frameBytes,
    // Costs memory for each socket, and an attacker's few bytes may become many.
    perMessageDeflate: false,
  });
  const answered = new WeakSet<WebSocket>();
  const ping = setInterval(() => {
    for (const socket of server.clients) {
      if (!answered.delete(socket)) socket.terminate();
      else socket.ping();
    }
  }, limits.pingMs);
  ping.unref();
  let isClosed = false;

  return {
    get size() {
      return server.clients.size;
    },
    upgrade(request, socket, head) {
      // An error before the handshake is complete would otherwise end the process.
      socket.on("error", () => socket.destroy());
      const { method = "", url = "", headers, rawHeaders } = request;
      if (isElsewhere(url.split("?", 1)[0] as string))
        return writeError(socket, { status: 426, message: "The gateway has no WebSocket: send a plain request" });
      const verdict = judgeRequest({ method, url, headers, rawHeaders }, rules);
      if (!verdict.ok && verdict.refusal === REFUSALS["key-wrong"]) {
        void wrongKeys
          .slowDown()
          .then((isSlowed) => writeError(socket, isSlowed ? verdict.refusal : REFUSALS["too-many-wrong-keys"]));
        return;
      }
      if (!verdict.ok) return writeError(socket, verdict.refusal);
      if (verdict.path !== "/ws") return writeError(socket, { status: 400, message: "The WebSocket is at /ws" });
      if (isClosed) return writeError(socket, { status: 503, message: "The server is shutting down" });
      if (server.clients.size >= limits.sockets)
        return writeError(socket, { status: 503, message: `Too many WebSockets: the limit is ${limits.sockets}` });
      server.handleUpgrade(request, socket, head, (opened) => {
        answered.add(opened);
        opened.on("pong", () => answered.add(opened));
        // A broken frame or a lost connection: `close` follows.
        opened.on("error", () => undefined);
        limitFrames(opened, limits.framesPer10s);
        open(opened, verdict.caller);
      });
    },
    refuse() {
      isClosed = true;
    },
    close() {
      isClosed = true;
      clearInterval(ping);
      for (const socket of server.clients) {
        socket.close(GOING_AWAY, "The server is shutting down");
        // A client that does not answer the close is not waited for.
        setTimeout(() => socket.terminate(), 1000).unref();
      }
    },
  };
}

/** Closes a socket on which frames come too often, and listens to no further one. */
function limitFrames(socket: WebSocket, most: number): void {
  let start = Date.now();
  let count = 0;
  socket.on("message", () => {
    const now = Date.now();
    if (now - start > WINDOW_MS || now < start) {
      start = now;
      count = 0;
    }
    count += 1;
    if (count <= most) return;
    socket.removeAllListeners("message");
    socket.close(TOO_MANY, "Too many frames");
  });
}
