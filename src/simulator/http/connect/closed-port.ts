import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { HOST, type Situation } from "./situation.ts";

/** Fault 1: a port that was free a moment ago, and where nobody listens. */
export async function closedPort(): Promise<Situation> {
  const server = createServer();
  server.listen(0, HOST);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return { url: `http://${HOST}:${port}`, close: async () => undefined };
}
