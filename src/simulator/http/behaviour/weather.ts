import { hashOf, seededRandom } from "../answer/seeded.ts";
import { type Behaviour, GOOD } from "./behaviour.ts";

export const WEATHERS = ["calm", "drizzle", "storm", "quota"] as const;
export type Weather = (typeof WEATHERS)[number];

/** Weather depends on nothing else, so parallel clients do not affect each other. */
interface WeatherDraw {
  readonly seed: number;
  readonly model: string;
  readonly key: string;
  /** Counted from 1 for this model and key, since the weather was set. */
  readonly count: number;
  /** The same for the key alone: all models share its quota. */
  readonly keyCount: number;
}

/** In a storm requests fail in runs, as in a real outage, not independently. */
const OUTAGE_RUN = 6;
const OUTAGE_CHANCE = 0.35;
const QUOTA_LEAST = 3;
const QUOTA_RANGE = 6;

export function weatherBehaviour(weather: Weather, draw: WeatherDraw): Behaviour {
  switch (weather) {
    case "calm":
      return GOOD;
    case "drizzle":
      return drizzle(chance(draw, "drizzle", draw.count));
    case "storm":
      return storm(draw);
    case "quota":
      return isUsedUp(draw) ? { type: "error", name: "quota" } : GOOD;
    default:
      return weather satisfies never;
  }
}

function drizzle(drawn: number): Behaviour {
  if (drawn < 0.15) return { type: "error", name: "rate-limited", hintMs: 1000 };
  if (drawn < 0.25) return { type: "error", name: "overloaded" };
  return GOOD;
}

function storm(draw: WeatherDraw): Behaviour {
  const run = Math.floor((draw.count - 1) / OUTAGE_RUN);
  if (chance(draw, "outage", run) < OUTAGE_CHANCE) return { type: "error", name: "down" };
  const drawn = chance(draw, "storm", draw.count);
  const tokens = 1 + Math.floor(chance(draw, "tokens", draw.count) * 8);
  if (drawn < 0.15) return { type: "stall", tokens };
  if (drawn < 0.3) return { type: "cut", tokens };
  if (drawn < 0.4) return { type: "fault", number: 6 };
  if (drawn < 0.55) return { type: "error", name: "overloaded" };
  return GOOD;
}

function isUsedUp(draw: WeatherDraw): boolean {
  const quota = QUOTA_LEAST + Math.floor(chance({ ...draw, model: "" }, "dry", 0) * QUOTA_RANGE);
  return draw.keyCount > quota;
}

function chance({ seed, model, key }: WeatherDraw, what: string, count: number): number {
  return seededRandom(hashOf(seed, model, key, what, count))();
}
