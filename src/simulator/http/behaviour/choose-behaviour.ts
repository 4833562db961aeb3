import { type Behaviour, GOOD, type TimedBehaviour } from "./behaviour.ts";
import { parseBehaviour } from "./parse-behaviour.ts";
import type { Scenario } from "./parse-scenario.ts";
import { type Weather, weatherBehaviour } from "./weather.ts";

export interface Request {
  readonly model: string;
  readonly key: string;
  /** `x-sim-behaviour`, or `fault-` and `x-sim-fault`; undefined: the model's name decides. */
  readonly wish?: string | undefined;
}

export interface Chosen {
  readonly name: string;
  readonly behaviour: Behaviour;
  /** Which request of this model and key it is, from 1. */
  readonly count: number;
}

/** How often each model was asked for with each key. Parallel tests use keys of their own and do not meet. */
export class Counters {
  private readonly counts = new Map<string, number>();

  next(...parts: readonly string[]): number {
    const name = parts.join("\u0000");
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, count);
    return count;
  }

  clear(): void {
    this.counts.clear();
  }
}

export interface Sky {
  readonly weather: Weather;
  readonly seed: number;
  readonly scenario?: Scenario | undefined;
  readonly counters: Counters;
}

/** A wish comes first, then the model's name, then the scenario, then the weather. */
export function chooseBehaviour({ model, key, wish }: Request, { weather, seed, scenario, counters }: Sky): Chosen {
  const count = counters.next(model, key, wish ?? "");
  const timed = wish === undefined ? parseBehaviour(model) : parseBehaviour(wish);
  if (wish !== undefined && timed === undefined) return { name: wish, behaviour: unknownWish(wish), count };
  if (timed !== undefined) return { name: timed.name, behaviour: inTurn([timed, WELL], count), count };
  const steps = scenario?.models.get(model) ?? scenario?.models.get("*");
  if (steps !== undefined) return { name: "scenario", behaviour: inTurn(steps, count), count };
  const draw = { seed, model, key, count, keyCount: counters.next(key) };
  return { name: weather, behaviour: weatherBehaviour(weather, draw), count };
}

const WELL: TimedBehaviour = { name: "ok", behaviour: GOOD };

/** The behaviour whose turn it is. The last one stays for ever. */
function inTurn(steps: readonly TimedBehaviour[], count: number): Behaviour {
  let until = 0;
  for (const { behaviour, times } of steps) {
    until += times ?? Number.POSITIVE_INFINITY;
    if (count <= until) return behaviour;
  }
  return steps.at(-1)?.behaviour ?? GOOD;
}

function unknownWish(wish: string): Behaviour {
  return {
    type: "refuse",
    problem: "bad-request",
    message: `The simulator knows no behaviour ${JSON.stringify(wish)}`,
  };
}
