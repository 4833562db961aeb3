import { createServer, type Server } from "node:http";
import type { Socket } from "node:net";
import { handleRequest } from "./handle-request.ts";
import type { SeenRequest } from "./request-log.ts";
import type { World } from "./world.ts";

/** An HTTP server that speaks for the world's providers. Whether it listens anywhere is the caller's business. */
export function makeServer(world: World, listener: SeenRequest["listener"]): Server {
  const requestsOf = new WeakMap<Socket, number>();
  const server = createServer((request, response) => {
    const { socket } = request;
    const requestOfSocket = (requestsOf.get(socket) ?? 0) + 1;
    requestsOf.set(socket, requestOfSocket);
    // A client that goes away is an everyday matter here.
    response.on("error", () => undefined);
    void handleRequest({ request, response, world, listener, requestOfSocket });
  });
  server.on("connection", (socket) => socket.on("error", () => undefined));
  return server;
}
