import type { Server } from "node:http";
import type { Sockets } from "./accept-sockets.ts";

/** What is still being sent after the last turn has ended gets this long. */
const FLUSH_MS = 1000;

/**
 * Accepts no new connection, waits for the running work, and closes what is open. Sockets and streams stay open meanwhile: their
 * clients see how their turns end.
 */
export async function closeListener(server: Server, sockets: Sockets, finish: () => Promise<void>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  sockets.refuse();
  await finish();
  sockets.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), FLUSH_MS);
  await closed;
  clearTimeout(timer);
}
