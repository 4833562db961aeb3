import type { Weather } from "../behaviour/weather.ts";
import { checkOptions } from "../server/check-options.ts";
import { makeServer } from "../server/make-server.ts";
import type { SeenRequest } from "../server/request-log.ts";
import { setWeather } from "../server/set-weather.ts";
import { makeWorld, type SimulatorOptions } from "../server/world.ts";
import { type Fetch, fetchFrom } from "./fetch-from.ts";
import { IN_PROCESS_ORIGIN, OTHER_ORIGIN } from "./origin.ts";

export interface InProcessSimulator {
  readonly fetch: Fetch;
  /** What was received, oldest first, of the last 1,000. */
  readonly requests: readonly SeenRequest[];
  setWeather(weather: Weather, seed?: number): void;
  reset(): void;
}

/**
 * The simulated providers without a port and without a socket: the same servers, reached through memory. They hold nothing
 * that would have to be closed.
 */
export function simulateInProcess(options: Omit<SimulatorOptions, "port"> = {}): InProcessSimulator {
  checkOptions(options);
  const world = makeWorld(options);
  world.origin = IN_PROCESS_ORIGIN;
  world.otherOrigin = OTHER_ORIGIN;
  const servers = new Map([
    [IN_PROCESS_ORIGIN, makeServer(world, "main")],
    [OTHER_ORIGIN, makeServer(world, "other")],
  ]);
  return {
    fetch: fetchFrom(servers),
    get requests() {
      return world.log.requests;
    },
    setWeather: (weather, seed = world.seed) => setWeather(world, weather, seed),
    reset: world.reset,
  };
}
