import { InvalidInput } from "../../kernel/index.ts";
import type { TimedBehaviour } from "../../simulator/http/behaviour/behaviour.ts";
import type { Script as Played } from "../../simulator/http/behaviour/choose-behaviour.ts";
import { readBehaviour } from "../../simulator/http/behaviour/parse-scenario.ts";
import { FAULTS, type Provider, type ScenarioBehaviour as ScriptStep } from "../../simulator/http/index.ts";

/** A list for all calls, or lists by model, by provider (`openai`, `anthropic`, `gemini`) and for the rest (`*`). */
export type Script = readonly (ScriptStep | string)[] | Readonly<Record<string, readonly (ScriptStep | string)[]>>;

/** A script that is being played: each list by its own, in the order in which calls arrive. */
export interface PlayedScript extends Played {
  /** The steps that no call has had yet, with their list: `*: rate-limited`. */
  readonly left: readonly string[];
}

const REST = "*";
const FIELD = "script";

/** Throws `InvalidInput`, which names the entry, its value and what is allowed. */
export function playScript(script: Script): PlayedScript {
  const lists = new Map(listsOf(script).map(([name, field, list]) => [name, new Playing(readList(field, list))]));
  return {
    next({ provider, model }) {
      const names: readonly (string | Provider)[] = [model, provider, REST];
      return names
        .map((name) => lists.get(name))
        .find((list) => list !== undefined)
        ?.next();
    },
    get left() {
      return [...lists].flatMap(([name, list]) => list.left.map((step) => `${name}: ${step}`));
    },
  };
}

type NamedList = readonly [name: string, field: string, list: unknown];

function listsOf(script: Script): readonly NamedList[] {
  if (Array.isArray(script)) return [[REST, FIELD, script]];
  // A text, or one step without its list: `script: ok()`.
  if (typeof script !== "object" || script === null || "do" in script)
    throw new InvalidInput(FIELD, script, "a list of steps, or an object of such lists");
  return Object.entries(script).map(([name, list]) => [name, `${FIELD}.${name}`, list]);
}

function readList(field: string, list: unknown): readonly TimedBehaviour[] {
  if (!Array.isArray(list)) throw new InvalidInput(field, list, "a list of steps");
  return list.map((entry, place) => readStep(`${field}[${place}]`, entry));
}

function readStep(field: string, entry: unknown): TimedBehaviour {
  const read = readBehaviour(field, entry);
  const { behaviour } = read;
  if (behaviour.type === "fault" && FAULTS[behaviour.number] === undefined)
    throw new InvalidInput(field, read.name, `a fault with a number from ${Object.keys(FAULTS).join(", ")}`);
  return read;
}

/** One list and how far it has been played. */
class Playing {
  readonly #steps: readonly TimedBehaviour[];
  #place = 0;
  /** How often the current step has been played. */
  #played = 0;

  constructor(steps: readonly TimedBehaviour[]) {
    this.#steps = steps;
  }

  next(): TimedBehaviour | undefined {
    const step = this.#steps[this.#place];
    if (step === undefined) return undefined;
    this.#played++;
    if (this.#played >= (step.times ?? 1)) {
      this.#place++;
      this.#played = 0;
    }
    return step;
  }

  get left(): readonly string[] {
    return this.#steps.slice(this.#place).map(({ name, times = 1 }, n) => {
      const open = n === 0 ? times - this.#played : times;
      return open === 1 ? name : `${name} (${open} times)`;
    });
  }
}
