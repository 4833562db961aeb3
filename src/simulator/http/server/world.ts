import { Counters } from "../behaviour/choose-behaviour.ts";
import { parseScenario, type Scenario } from "../behaviour/parse-scenario.ts";
import type { Weather } from "../behaviour/weather.ts";
import { RequestLog } from "./request-log.ts";

export interface SimulatorOptions {
  /** 0 (default): any free port. */
  readonly port?: number;
  /** What requests meet whose model names no behaviour and stands in no scenario. [calm] */
  readonly weather?: Weather;
  /** Text and weather are drawn from it. [1] */
  readonly seed?: number;
  /** A scenario: the text of its file, or the same as a value. Its seed, weather and time scale give way to the options. */
  readonly scenario?: string | object;
  /** All waits and hints are multiplied by it: 0.01 makes a second ten milliseconds. [1] */
  readonly timeScale?: number;
  /** Before the first event of an answer, in ms. [150] */
  readonly firstTokenMs?: number;
  /** Between the tokens of a stream, in ms. [15] */
  readonly tokenMs?: number;
  /** Keeps what was sent with each request in `requests`. [false] */
  readonly keepSent?: boolean;
}

/** What all requests share. */
export interface World {
  weather: Weather;
  seed: number;
  readonly scenario: Scenario | undefined;
  readonly counters: Counters;
  readonly log: RequestLog;
  readonly timeScale: number;
  readonly firstTokenMs: number;
  readonly tokenMs: number;
  readonly keepsSent: boolean;
  /** Both known as soon as the servers listen. */
  origin: string;
  otherOrigin: string;
  /** As it was at the start. */
  readonly reset: () => void;
}

export function makeWorld(options: SimulatorOptions): World {
  const scenario = options.scenario === undefined ? undefined : readScenario(options.scenario);
  const weather = options.weather ?? scenario?.weather ?? "calm";
  const seed = options.seed ?? scenario?.seed ?? 1;
  const world: World = {
    weather,
    seed,
    scenario,
    counters: new Counters(),
    log: new RequestLog(),
    timeScale: options.timeScale ?? scenario?.timeScale ?? 1,
    firstTokenMs: options.firstTokenMs ?? 150,
    tokenMs: options.tokenMs ?? 15,
    keepsSent: options.keepSent ?? false,
    origin: "",
    otherOrigin: "",
    reset: () => {
      Object.assign(world, { weather, seed });
      world.counters.clear();
      world.log.clear();
    },
  };
  return world;
}

function readScenario(given: string | object): Scenario {
  return parseScenario(typeof given === "string" ? given : JSON.stringify(given, null, 2));
}
