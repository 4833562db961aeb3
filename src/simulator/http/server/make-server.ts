import { createServer, type Server } from "node:http";
import type { Socket } from "node:net";
import { handleRequest } from "./handle-request.ts";
import type { ReceivedRequest } from "./request-log.ts";
import type { SimulatorState } from "./simulator-state.ts";

/** An HTTP server with the simulated endpoints. The caller makes it listen. */
export function makeServer(state: SimulatorState, listener: ReceivedRequest["listener"]): Server {
  const requestsOf = new WeakMap<Socket, number>();
  const server = createServer((request, response) => {
    const { socket } = request;
    const requestOfSocket = (requestsOf.get(socket) ?? 0) + 1;
    requestsOf.set(socket, requestOfSocket);
    // Clients that leave are normal here.
    response.on("error", () => undefined);
    void handleRequest({ request, response, state, listener, requestOfSocket });
  });
  server.on("connection", (socket) => socket.on("error", () => undefined));
  return server;
}
