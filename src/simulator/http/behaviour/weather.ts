import { hashOf, seededRandom } from "../answer/seeded.ts";
import { type Behaviour, GOOD } from "./behaviour.ts";

export const WEATHERS = ["calm", "drizzle", "storm", "quota"] as const;
export type Weather = (typeof WEATHERS)[number];

/** Models to offer whose names are no behaviours, so that they follow the weather. Any other such name does, too. */
export const WEATHER_MODELS = ["sonnet", "haiku"] as const;

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

/** In a storm requests also fail in runs, as in a real outage. Short ones, never two in a row: a person waits for each. */
const OUTAGE_RUN = 3;
const OUTAGE_CHANCE = 0.35;
const OUTAGE_ERRORS = ["down", "overloaded", "bad-gateway"] as const;
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
  const drawn = chance(draw, "storm", draw.count);
  if (isOutage(draw, Math.floor((draw.count - 1) / OUTAGE_RUN))) {
    return { type: "error", name: OUTAGE_ERRORS[Math.floor(drawn * OUTAGE_ERRORS.length)] ?? "down" };
  }
  // Enough words to be seen before it breaks off.
  const tokens = 5 + Math.floor(chance(draw, "tokens", draw.count) * 30);
  if (drawn < 0.1) return { type: "stall", tokens };
  if (drawn < 0.2) return { type: "cut", tokens };
  if (drawn < 0.3) return { type: "fault", number: 6 };
  if (drawn < 0.4) return { type: "error", name: "overloaded" };
  if (drawn < 0.5) return { type: "error", name: "down" };
  return GOOD;
}

function isOutage(draw: WeatherDraw, run: number): boolean {
  return run >= 0 && chance(draw, "outage", run) < OUTAGE_CHANCE && !isOutage(draw, run - 1);
}

function isUsedUp(draw: WeatherDraw): boolean {
  const quota = QUOTA_LEAST + Math.floor(chance({ ...draw, model: "" }, "dry", 0) * QUOTA_RANGE);
  return draw.keyCount > quota;
}

function chance({ seed, model, key }: WeatherDraw, what: string, count: number): number {
  return seededRandom(hashOf(seed, model, key, what, count))();
}
