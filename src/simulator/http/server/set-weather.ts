import type { Weather } from "../behaviour/weather.ts";
import type { World } from "./world.ts";

/** New weather counts from the beginning: the same seed then gives the same sequence. */
export function setWeather(world: World, weather: Weather, seed: number): void {
  world.weather = weather;
  world.seed = seed;
  world.counters.clear();
}
