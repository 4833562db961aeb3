import { InvalidInput } from "../../../kernel/index.ts";
import type { TimedBehaviour } from "../behaviour/behaviour.ts";
import { Counters, type Script } from "../behaviour/choose-behaviour.ts";
import { BEHAVIOUR_NAMES, parseBehaviour } from "../behaviour/parse-behaviour.ts";
import { parseScenario, type Scenario, type ScenarioInput } from "../behaviour/parse-scenario.ts";
import type { Weather } from "../behaviour/weather.ts";
import { checkOptions } from "./check-options.ts";
import { type ReceivedRequest, RequestLog } from "./request-log.ts";
import { Trails } from "./trails.ts";

export interface SimulatorOptions {
  /** The port to listen on, 0 to 65535. Default: 0, any free port. */
  readonly port?: number | undefined;
  /** Applies to models whose name is not a behaviour and that are not in the scenario. Default: `calm`. */
  readonly weather?: Weather | undefined;
  /** Texts, ids and weather depend on it, 0 to 2^32 - 1. Default: 1. */
  readonly seed?: number | undefined;
  /** What each model does: the text of a scenario file, or its value. `seed`, `weather` and `timeScale` above override it. */
  readonly scenario?: string | ScenarioInput | undefined;
  /** Multiplies all waits and hints, 0 to 1000: with 0.01 a second takes ten milliseconds. Default: 1. */
  readonly timeScale?: number | undefined;
  /** Milliseconds before the first event of an answer, 0 to 3,600,000. Default: 150. */
  readonly firstTokenMs?: number | undefined;
  /** Milliseconds between two tokens of a stream, 0 to 3,600,000. Default: 15. */
  readonly tokenMs?: number | undefined;
  /** Records what was sent in `requests`. Default: false. */
  readonly keepSent?: boolean | undefined;
}

/** Base URLs as the clients expect them: the AI SDK wants the version in all of them. */
export interface SimulatorUrls {
  readonly openai: string;
  readonly anthropic: string;
  readonly gemini: string;
  readonly aiSdk: { readonly openai: string; readonly anthropic: string; readonly google: string };
}

/** What every simulator offers, with or without a port. */
export interface SimulatorControls {
  readonly url: string;
  readonly urls: SimulatorUrls;
  /** The last 1,000 requests, oldest first. */
  readonly requests: readonly ReceivedRequest[];
  readonly weather: Weather;
  /** The single fault that takes the place of the weather. */
  readonly fault: string | undefined;
  /** Changes the weather and restarts all counters. Without a seed the current one stays. Ends a single fault. */
  setWeather(weather: Weather, seed?: number): void;
  /**
   * Replaces the weather by one fault, such as `overloaded` or `cut-12`: the first attempt at every question fails like this (with
   * `@2` the first two), the next one succeeds. Restarts all counters. Throws `InvalidInput` for an unknown name.
   */
  setFault(name: string): void;
  /** Restores the initial weather and seed; clears counters and requests. */
  reset(): void;
}

/** What all requests share. */
export interface SimulatorState {
  weather: Weather;
  /** Takes the place of the weather. */
  fault: TimedBehaviour | undefined;
  seed: number;
  /** Comes before the model's name, the scenario and the weather, until it has ended. */
  script: Script | undefined;
  readonly scenario: Scenario | undefined;
  readonly counters: Counters;
  readonly trails: Trails;
  readonly log: RequestLog;
  readonly timeScale: number;
  readonly firstTokenMs: number;
  readonly tokenMs: number;
  readonly keepsSent: boolean;
  /** The second origin, where fault 12 redirects to. Known as soon as it listens. */
  otherOrigin: string;
  readonly setWeather: SimulatorControls["setWeather"];
  readonly setFault: SimulatorControls["setFault"];
  readonly reset: () => void;
}

/** Throws `InvalidInput` or `InvalidScenario`. */
export function createState(options: SimulatorOptions): SimulatorState {
  checkOptions(options);
  const scenario = options.scenario === undefined ? undefined : readScenario(options.scenario);
  const weather = options.weather ?? scenario?.weather ?? "calm";
  const seed = options.seed ?? scenario?.seed ?? 1;
  const state: SimulatorState = {
    weather,
    fault: undefined,
    seed,
    script: undefined,
    scenario,
    counters: new Counters(),
    trails: new Trails(),
    log: new RequestLog(),
    timeScale: options.timeScale ?? scenario?.timeScale ?? 1,
    firstTokenMs: options.firstTokenMs ?? 150,
    tokenMs: options.tokenMs ?? 15,
    keepsSent: options.keepSent ?? false,
    otherOrigin: "",
    setWeather(next, nextSeed = state.seed) {
      Object.assign(state, { weather: next, seed: nextSeed, fault: undefined });
      // From the beginning, so that the same seed gives the same sequence.
      state.counters.clear();
      state.trails.restart();
    },
    setFault(name) {
      const fault = readFault(name);
      state.setWeather("calm");
      state.fault = fault;
    },
    reset() {
      state.setWeather(weather, seed);
      state.log.clear();
      state.trails.clear();
    },
  };
  return state;
}

export function controlsOf(state: SimulatorState, url: string): SimulatorControls {
  return {
    url,
    urls: {
      openai: `${url}/v1`,
      anthropic: url,
      gemini: url,
      aiSdk: { openai: `${url}/v1`, anthropic: `${url}/v1`, google: `${url}/v1beta` },
    },
    get requests() {
      return state.log.requests;
    },
    get weather() {
      return state.weather;
    },
    get fault() {
      return state.fault?.name;
    },
    setWeather: state.setWeather,
    setFault: state.setFault,
    reset: state.reset,
  };
}

/** Throws `InvalidInput`. */
export function readFault(name: string): TimedBehaviour {
  const found = parseBehaviour(name);
  if (found === undefined) throw new InvalidInput("fault", name, `one of ${BEHAVIOUR_NAMES.join(", ")}`);
  return found;
}

function readScenario(given: string | ScenarioInput): Scenario {
  return parseScenario(typeof given === "string" ? given : JSON.stringify(given, null, 2));
}
