import { InvalidInput } from "../kernel/index.ts";
import { BEHAVIOUR_NAMES, parseBehaviour } from "../simulator/http/behaviour/parse-behaviour.ts";
import { SINGLE_FAULTS } from "../simulator/http/behaviour/single-faults.ts";
import type { SimulatorControls, Weather } from "../simulator/http/index.ts";
import type { WeatherRequest, WeatherView } from "../wire/http/server.ts";

/** Controls the weather of the simulated provider while the process runs. */
export interface SimulatorHandle {
  weather(): WeatherView;
  /** Restarts the counters, so that the same seed plays the same again. Throws `InvalidInput` for an unknown fault. */
  set(request: WeatherRequest): void;
}

/** The handle, and what connects it to the simulator once that is loaded. */
export interface OpenHandle {
  readonly handle: SimulatorHandle;
  connect(controls: Pick<SimulatorControls, "setWeather" | "setFault">): void;
}

export function openHandle(weather: Weather): OpenHandle {
  let current: WeatherRequest = { weather };
  let controls: Parameters<OpenHandle["connect"]>[0] | undefined;
  const apply = (): void => {
    if (current.weather === "fault") controls?.setFault(current.fault);
    else controls?.setWeather(current.weather);
  };
  return {
    handle: {
      weather: () => ({ ...current, faults: SINGLE_FAULTS }),
      set(request) {
        current = request.weather === "fault" ? checkFault(request) : { weather: request.weather };
        apply();
      },
    },
    connect(opened) {
      controls = opened;
      apply();
    },
  };
}

function checkFault<Request extends { readonly fault: string }>(request: Request): Request {
  if (parseBehaviour(request.fault) !== undefined) return request;
  throw new InvalidInput("fault", request.fault, `the name of a behaviour: ${BEHAVIOUR_NAMES.join(", ")}`);
}
