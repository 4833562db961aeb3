import { checkOneOf } from "../../kernel/index.ts";
import { type SimulatorOptions, WEATHERS } from "../../simulator/http/index.ts";
import { BOUNDS } from "../../simulator/http/server/check-options.ts";
import { parseNumber } from "../../terminal/parse-number.ts";
import { readTextFile } from "../../terminal/read-file.ts";

/** The options of `secondwind sim`, as commander gives them. */
export interface SimOptions {
  readonly port: string;
  readonly weather?: string;
  readonly seed?: string;
  readonly scenario?: string;
  readonly timeScale?: string;
}

/** Throws `InvalidInput` naming the option. */
export function parseOptions({ port, weather, seed, scenario, timeScale }: SimOptions): SimulatorOptions {
  return {
    port: parseNumber("--port", port, BOUNDS.port),
    ...(weather !== undefined && { weather: checkOneOf("--weather", weather, WEATHERS) }),
    ...(seed !== undefined && { seed: parseNumber("--seed", seed, BOUNDS.seed) }),
    ...(timeScale !== undefined && { timeScale: parseNumber("--time-scale", timeScale, BOUNDS.timeScale) }),
    ...(scenario !== undefined && { scenario: readTextFile("--scenario", scenario) }),
  };
}
