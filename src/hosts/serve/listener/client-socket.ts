/** One WebSocket of a client, as the protocol on it sees it. */
export interface ClientSocket {
  /** Name of the access key, where the server has any. */
  readonly client?: string;
  /** Sends one text frame. Does nothing once the socket is closed. A client that does not read is disconnected at the limit. */
  send(text: string): void;
  close(code: number, reason: string): void;
}

/** The server's end of the protocol on one socket. Neither function may throw. */
export interface SocketListener {
  /** A text frame has come in: whole, valid UTF-8 and within the limit. */
  receive(text: string): void;
  /** The socket is closed, for whatever reason. Called once; nothing is received after it. */
  closed(): void;
}

/** Called for every socket that has passed the guard. */
export type OpenSocket = (socket: ClientSocket) => SocketListener;
