import { InvalidInput } from "../../kernel/index.ts";
import { type SimulatorOptions, WEATHERS, type Weather } from "../../simulator/http/index.ts";

/** The options of `secondwind sim`, as commander gives them. */
export interface SimOptions {
  readonly port?: string;
  readonly weather?: string;
  readonly seed?: string;
  readonly scenario?: string;
  readonly timeScale?: string;
}

/** What the simulator is to be started with. Throws `InvalidInput` naming the option. */
export function parseOptions(
  { port, weather, seed, scenario, timeScale }: SimOptions,
  readFile: (path: string) => string,
): SimulatorOptions {
  return {
    ...(port !== undefined && { port: parseNumber("--port", port, { most: 65_535, digits: "whole" }) }),
    ...(weather !== undefined && { weather: parseWeather(weather) }),
    ...(seed !== undefined && { seed: parseNumber("--seed", seed, { most: 2 ** 32 - 1, digits: "whole" }) }),
    ...(timeScale !== undefined && {
      timeScale: parseNumber("--time-scale", timeScale, { most: 1000, digits: "any" }),
    }),
    ...(scenario !== undefined && { scenario: readScenario(scenario, readFile) }),
  };
}

interface Allowed {
  readonly most: number;
  readonly digits: "whole" | "any";
}

function parseNumber(option: string, text: string, { most, digits }: Allowed): number {
  const isNumber = (digits === "whole" ? /^\d+$/ : /^\d*\.?\d+$/).test(text);
  if (isNumber && Number(text) <= most) return Number(text);
  throw new InvalidInput(option, text, `a ${digits === "whole" ? "whole " : ""}number from 0 to ${most}`);
}

function parseWeather(text: string): Weather {
  const found = WEATHERS.find((weather) => weather === text);
  if (found !== undefined) return found;
  throw new InvalidInput("--weather", text, `one of ${WEATHERS.join(", ")}`);
}

function readScenario(path: string, readFile: (path: string) => string): string {
  try {
    return readFile(path);
  } catch {
    throw new InvalidInput("--scenario", path, "a file that can be read");
  }
}
