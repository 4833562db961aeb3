import type { Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Weather } from "../behaviour/weather.ts";
import { checkOptions } from "./check-options.ts";
import { makeServer } from "./make-server.ts";
import type { SeenRequest } from "./request-log.ts";
import { setWeather } from "./set-weather.ts";
import { makeWorld, type SimulatorOptions, type World } from "./world.ts";

const HOST = "127.0.0.1";

/** Base URLs as the clients want them. The AI SDK wants the version in it, the official SDKs of the two others do not. */
export interface SimulatorUrls {
  readonly openai: string;
  readonly anthropic: string;
  readonly gemini: string;
  readonly aiSdk: { readonly openai: string; readonly anthropic: string; readonly google: string };
}

export interface Simulator {
  readonly url: string;
  readonly port: number;
  readonly urls: SimulatorUrls;
  /** What was received, oldest first, of the last 1,000. */
  readonly requests: readonly SeenRequest[];
  readonly weather: Weather;
  /** Connections that are open at this moment. */
  readonly openSockets: number;
  /** The seed stays unless another one is given; all counters begin again. */
  setWeather(weather: Weather, seed?: number): void;
  /** Weather, counters and list of requests are as they were at the start. */
  reset(): void;
  /** Ends everything at once, answers under way too. */
  close(): Promise<void>;
}

/**
 * Simulated providers on loopback: three wire formats, one process. Throws `InvalidInput` or `InvalidScenario` for
 * options that make no sense.
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  checkOptions(options);
  const world = makeWorld(options);
  const sockets = new Set<Socket>();
  const main = serve(world, "main", sockets);
  const other = serve(world, "other", sockets);
  const port = await listen(main, options.port ?? 0);
  const url = `http://${HOST}:${port}`;
  world.origin = url;
  world.otherOrigin = `http://${HOST}:${await listen(other, 0)}`;
  return {
    url,
    port,
    urls: {
      openai: `${url}/v1`,
      anthropic: url,
      gemini: url,
      aiSdk: { openai: `${url}/v1`, anthropic: `${url}/v1`, google: `${url}/v1beta` },
    },
    get requests() {
      return world.log.requests;
    },
    get weather() {
      return world.weather;
    },
    get openSockets() {
      return sockets.size;
    },
    setWeather: (weather, seed = world.seed) => setWeather(world, weather, seed),
    reset: world.reset,
    close: async () => {
      const closed = [...[main, other].map(close), ...[...sockets].map(destroy)];
      await Promise.all(closed);
    },
  };
}

function serve(world: World, listener: SeenRequest["listener"], sockets: Set<Socket>): Server {
  const server = makeServer(world, listener);
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return server;
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, HOST, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

function destroy(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once("close", () => resolve());
    socket.destroy();
  });
}
