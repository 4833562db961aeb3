/** What a client may ask of the server. docs/server.md has the same table; a test compares them. */
export interface Limits {
  /** Request line and headers together, in bytes: 431. */
  readonly headerBytes: number;
  /** The body of a request, in bytes, where its route sets no other limit: 413. */
  readonly bodyBytes: number;
  /** Until the headers of a request are complete: 408. */
  readonly headersMs: number;
  /** Until the whole request is received: 408. How long the answer takes is not limited: a turn may wait for hours. */
  readonly requestMs: number;
  /** A connection without a request is closed after this time. */
  readonly idleMs: number;
  /** Open connections, WebSockets included. Further ones are closed at once. */
  readonly connections: number;
  /** Turns under way, in all conversations together: 429. */
  readonly turns: number;
  /** Open WebSockets: 503. */
  readonly sockets: number;
  /** One frame from a client, in bytes: the socket is closed with 1009. */
  readonly frameBytes: number;
  /** Frames from one client in ten seconds: the socket is closed with 1008. */
  readonly framesPer10s: number;
  /** How often a socket is pinged. One that has not answered by the next ping is closed. */
  readonly pingMs: number;
  /** Sessions of pages that have logged in with an access key. The oldest one ends. */
  readonly sessions: number;
  /** Requests with a wrong access key that wait for their slowed-down answer: 429 at once for further ones. */
  readonly wrongKeys: number;
}

const KB = 1024;
const MB = 1024 * KB;

export const LIMITS: Limits = {
  headerBytes: 16 * KB,
  bodyBytes: MB,
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 65_000,
  connections: 4000,
  turns: 1000,
  sockets: 2000,
  frameBytes: 8 * MB,
  framesPer10s: 1000,
  pingMs: 30_000,
  sessions: 1000,
  wrongKeys: 100,
};
