import { checkNumber, checkOneOf } from "../../../kernel/index.ts";
import { WEATHERS } from "../behaviour/weather.ts";
import type { SimulatorOptions } from "./simulator-state.ts";

/** The bounds of every option that is a number. */
export const BOUNDS = {
  port: { min: 0, max: 65_535, integer: true },
  seed: { min: 0, max: 2 ** 32 - 1, integer: true },
  timeScale: { min: 0, max: 1000 },
  firstTokenMs: { min: 0, max: 3_600_000 },
  tokenMs: { min: 0, max: 3_600_000 },
} as const;

/** Throws `InvalidInput` naming the option. */
export function checkOptions(options: SimulatorOptions): void {
  for (const name of Object.keys(BOUNDS) as (keyof typeof BOUNDS)[]) {
    if (options[name] !== undefined) checkNumber(name, options[name], BOUNDS[name]);
  }
  if (options.weather !== undefined) checkOneOf("weather", options.weather, WEATHERS);
}
