import { InvalidInput } from "../../../kernel/index.ts";
import { WEATHERS } from "../behaviour/weather.ts";
import type { SimulatorOptions } from "./world.ts";

const LONGEST_MS = 3_600_000;

/** Throws `InvalidInput` naming the option. */
export function checkOptions({ port, weather, seed, timeScale, firstTokenMs, tokenMs }: SimulatorOptions): void {
  checkNumber("port", port, { least: 0, most: 65_535, isWhole: true });
  checkNumber("seed", seed, { least: 0, most: 2 ** 32 - 1, isWhole: true });
  checkNumber("timeScale", timeScale, { least: 0, most: 1000 });
  checkNumber("firstTokenMs", firstTokenMs, { least: 0, most: LONGEST_MS });
  checkNumber("tokenMs", tokenMs, { least: 0, most: LONGEST_MS });
  if (weather !== undefined && !WEATHERS.includes(weather)) {
    throw new InvalidInput("weather", weather, `one of ${WEATHERS.join(", ")}`);
  }
}

interface Range {
  readonly least: number;
  readonly most: number;
  readonly isWhole?: boolean;
}

function checkNumber(field: string, value: number | undefined, { least, most, isWhole = false }: Range): void {
  if (value === undefined) return;
  if (value >= least && value <= most && (!isWhole || Number.isInteger(value))) return;
  throw new InvalidInput(field, value, `a ${isWhole ? "whole " : ""}number from ${least} to ${most}`);
}
