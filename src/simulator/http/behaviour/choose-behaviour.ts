import type { Provider } from "../dialects/dialect.ts";
import { type Behaviour, GOOD, type TimedBehaviour } from "./behaviour.ts";
import { parseBehaviour } from "./parse-behaviour.ts";
import type { Scenario } from "./parse-scenario.ts";
import { type Weather, weatherBehaviour } from "./weather.ts";

interface Request {
  readonly provider: Provider;
  readonly model: string;
  readonly key: string;
  /** `x-sim-behaviour`, or `fault-` and `x-sim-fault`; undefined: the model's name decides. */
  readonly requested?: string | undefined;
  /** The same for every attempt at one question, whatever the model. */
  readonly question: string;
}

interface Chosen {
  readonly name: string;
  readonly behaviour: Behaviour;
  /** Which request with this model and key it is, from 1. */
  readonly count: number;
}

/** Requests per model and key. Parallel tests with different keys do not affect each other. */
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

/** What the next requests get, one after another, whatever their key. */
export interface Script {
  /** Undefined: it has ended, or has nothing for this request. */
  next(request: Pick<Request, "provider" | "model">): Pick<TimedBehaviour, "name" | "behaviour"> | undefined;
}

interface Rules {
  readonly script?: Script | undefined;
  readonly weather: Weather;
  /** Takes the place of the weather. */
  readonly fault?: TimedBehaviour | undefined;
  readonly seed: number;
  readonly scenario?: Scenario | undefined;
  readonly counters: Counters;
}

/** In this order: the request's header, the script, the model's name, the scenario, the single fault, the weather. */
export function chooseBehaviour(request: Request, { weather, fault, seed, script, scenario, counters }: Rules): Chosen {
  const { model, key, requested, question } = request;
  const count = counters.next(model, key, requested ?? "");
  const scripted = requested === undefined ? script?.next(request) : undefined;
  if (scripted !== undefined) return { ...scripted, count };
  const timed = parseBehaviour(requested ?? model);
  if (timed !== undefined) return { name: timed.name, behaviour: inTurn([timed, OK], count), count };
  if (requested !== undefined) return { name: requested, behaviour: unknownBehaviour(requested), count };
  const listed = scenario?.models.get(model) ?? scenario?.models.get("*");
  if (listed !== undefined) return { name: "scenario", behaviour: inTurn(listed, count), count };
  if (fault !== undefined) return { name: fault.name, behaviour: onceEach(fault, counters.next("", question)), count };
  const draw = { seed, model, key, count, keyCount: counters.next(key) };
  return { name: weather, behaviour: weatherBehaviour(weather, draw), count };
}

const OK: TimedBehaviour = { name: "ok", behaviour: GOOD };

/** The behaviour for this request. The last one of the list stays. */
function inTurn(listed: readonly TimedBehaviour[], count: number): Behaviour {
  let until = 0;
  for (const { behaviour, times } of listed) {
    until += times ?? Number.POSITIVE_INFINITY;
    if (count <= until) return behaviour;
  }
  return listed.at(-1)?.behaviour ?? GOOD;
}

/** Every question meets the fault, and then gets its answer: the first attempt fails (with `@n` the first n), the next one does not. */
function onceEach({ behaviour, times = 1 }: TimedBehaviour, attempt: number): Behaviour {
  return (attempt - 1) % (times + 1) < times ? behaviour : GOOD;
}

function unknownBehaviour(requested: string): Behaviour {
  return { type: "error", name: "bad-request", message: `Simulator: unknown behaviour ${JSON.stringify(requested)}` };
}
