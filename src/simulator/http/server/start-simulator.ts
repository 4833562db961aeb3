import type { Server } from "node:http";
import type { Socket } from "node:net";
import { close, HOST, listen } from "../connect/listen.ts";
import { makeServer } from "./make-server.ts";
import type { ReceivedRequest } from "./request-log.ts";
import {
  controlsOf,
  createState,
  type SimulatorControls,
  type SimulatorOptions,
  type SimulatorState,
} from "./simulator-state.ts";

/** A simulator that listens on loopback. */
export interface Simulator extends SimulatorControls {
  readonly port: number;
  /** The number of open connections. */
  readonly openSockets: number;
  /** Stops at once; replies in progress are cut off. */
  close(): Promise<void>;
}

/**
 * Starts simulated OpenAI, Anthropic and Gemini endpoints on one loopback port. Throws `InvalidInput` or `InvalidScenario`
 * for invalid options.
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  return listenWith(createState(options), options.port);
}

/** Starts the endpoints of this state. */
export async function listenWith(state: SimulatorState, wantedPort?: number): Promise<Simulator> {
  const sockets = new Set<Socket>();
  const main = serve(state, "main", sockets);
  const other = serve(state, "other", sockets);
  const port = await listen(main, wantedPort);
  state.otherOrigin = `http://${HOST}:${await listen(other)}`;
  const own = {
    port,
    get openSockets() {
      return sockets.size;
    },
    close: async () => {
      await Promise.all([...[main, other].map(close), ...[...sockets].map(destroy)]);
    },
  };
  // Not a spread: it would read the getters once.
  return Object.defineProperties(
    controlsOf(state, `http://${HOST}:${port}`),
    Object.getOwnPropertyDescriptors(own),
  ) as Simulator;
}

function serve(state: SimulatorState, listener: ReceivedRequest["listener"], sockets: Set<Socket>): Server {
  const server = makeServer(state, listener);
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return server;
}

function destroy(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once("close", () => resolve());
    socket.destroy();
  });
}
