import { InvalidInput } from "../kernel/index.ts";
import { BEHAVIOUR_NAMES, parseBehaviour } from "../simulator/http/behaviour/parse-behaviour.ts";
import { SINGLE_FAULTS, type SingleFault } from "../simulator/http/behaviour/single-faults.ts";
import type { Weather } from "../simulator/http/behaviour/weather.ts";
import type { SimulatorControls } from "../simulator/http/index.ts";

/** The weather, or a behaviour by name that takes its place, such as `overloaded`. */
export type WeatherChange = { readonly weather: Weather } | { readonly weather: "fault"; readonly fault: string };

/** The weather as it is, and the single faults to choose from. */
export interface WeatherState {
  readonly weather: Weather | "fault";
  readonly fault?: string;
  readonly faults: readonly SingleFault[];
}

/** Controls the weather of the simulated provider while the process runs. */
export interface SimulatorHandle {
  weather(): WeatherState;
  /** Restarts the counters, so that the same seed plays the same again. Throws `InvalidInput` for an unknown fault. */
  set(change: WeatherChange): void;
}

/** The handle, and what connects it to the simulator once that is loaded. */
export interface OpenHandle {
  readonly handle: SimulatorHandle;
  connect(controls: Pick<SimulatorControls, "setWeather" | "setFault">): void;
}

export function openHandle(weather: Weather): OpenHandle {
  let current: WeatherChange = { weather };
  let controls: Parameters<OpenHandle["connect"]>[0] | undefined;
  const apply = (): void => {
    if (current.weather === "fault") controls?.setFault(current.fault);
    else controls?.setWeather(current.weather);
  };
  return {
    handle: {
      weather: () => ({ ...current, faults: SINGLE_FAULTS }),
      set(change) {
        current = change.weather === "fault" ? checkFault(change) : { weather: change.weather };
        apply();
      },
    },
    connect(opened) {
      controls = opened;
      apply();
    },
  };
}

function checkFault<Change extends { readonly fault: string }>(change: Change): Change {
  if (parseBehaviour(change.fault) !== undefined) return change;
  throw new InvalidInput("fault", change.fault, `the name of a behaviour: ${BEHAVIOUR_NAMES.join(", ")}`);
}
