import {
  checkBoolean,
  checkNumber,
  checkObject,
  checkOneOf,
  checkString,
  InvalidInput,
} from "../../../kernel/index.ts";
import type { TimedBehaviour } from "./behaviour.ts";
import { BEHAVIOUR_NAMES, parseBehaviour } from "./parse-behaviour.ts";
import { JsonFault, parseJsonLines } from "./parse-json-lines.ts";
import { WEATHERS, type Weather } from "./weather.ts";

/** A scenario as it is written: a list of behaviours for each model, played one after another. */
export interface ScenarioInput {
  readonly seed?: number;
  readonly weather?: Weather;
  readonly timeScale?: number;
  /** `*` stands for every model that is not named. The last behaviour of a list stays. */
  readonly models?: Readonly<Record<string, readonly (string | ScenarioBehaviour)[]>>;
}

/** A behaviour with its details: `{ "do": "rate-limited", "hintMs": 1500, "times": 2 }`. */
export interface ScenarioBehaviour {
  /** The name of a behaviour, such as `overloaded` or `stall-3`. */
  readonly do: string;
  /** For how many requests. Default: 1. */
  readonly times?: number;
  /** For errors: the wait that the provider asks for. */
  readonly hintMs?: number;
  /** For errors: the text in place of the provider's own. */
  readonly message?: string;
  /** For errors: sent as `x-should-retry`. Default: only with a hint, as the provider does. */
  readonly shouldRetry?: boolean;
  /** For answers, also for those that stall, break off or have a fault: the text. */
  readonly text?: string;
}

/** A scenario after it was checked. */
export interface Scenario extends Omit<ScenarioInput, "models"> {
  readonly models: ReadonlyMap<string, readonly TimedBehaviour[]>;
}

/** Thrown for an invalid scenario; names the line and the field. */
export class InvalidScenario extends Error {
  readonly line: number;
  readonly field: string;

  constructor(line: number, field: string, message: string) {
    super(`scenario, line ${line}: ${message}`);
    this.name = "InvalidScenario";
    this.line = line;
    this.field = field;
  }
}

/** The field name of the whole file in error messages, and the prefix of all others. */
const ROOT = "scenario";

/** Reads a scenario from the text of its file. Throws `InvalidScenario`. */
export function parseScenario(text: string): Scenario {
  const lines = new Map<string, number>();
  try {
    return readScenario(parseJsonLines(text, ROOT, lines));
  } catch (fault) {
    if (fault instanceof JsonFault) throw new InvalidScenario(fault.line, "", fault.message);
    if (!(fault instanceof InvalidInput)) throw fault;
    const field = fault.field.slice(ROOT.length + 1);
    throw new InvalidScenario(lines.get(fault.field) ?? 1, field, fault.message);
  }
}

function readScenario(value: unknown): Scenario {
  const {
    seed,
    weather,
    timeScale,
    models = {},
  } = checkObject(ROOT, value, ["seed", "weather", "timeScale", "models"]);
  const at = (name: string): string => `${ROOT}.${name}`;
  return {
    ...(seed !== undefined && { seed: checkNumber(at("seed"), seed, { min: 0, max: 2 ** 32 - 1 }) }),
    ...(timeScale !== undefined && { timeScale: checkNumber(at("timeScale"), timeScale, { min: 0, max: 1000 }) }),
    ...(weather !== undefined && { weather: checkOneOf(at("weather"), weather, WEATHERS) }),
    models: new Map(
      Object.entries(checkObject(at("models"), models)).map(([model, list]) => {
        const field = at(`models.${model}`);
        if (!Array.isArray(list) || list.length === 0) throw new InvalidInput(field, list, "a list of behaviours");
        return [model, list.map((item, n) => readBehaviour(`${field}[${n}]`, item))];
      }),
    ),
  };
}

/** `"overloaded@2"`, or `{"do": "rate-limited", "times": 2, "hintMs": 1500}`. Throws `InvalidInput`. */
export function readBehaviour(field: string, value: unknown): TimedBehaviour {
  const isShort = typeof value !== "object";
  const given = isShort ? { do: value } : checkObject(field, value, DETAILS);
  if (given.do === undefined) throw new InvalidInput(field, value, 'an object with a field "do"');
  const { name, behaviour, times = 1 } = behaviourOf(isShort ? field : `${field}.do`, given.do);
  return {
    name,
    times: given.times === undefined ? times : checkNumber(`${field}.times`, given.times, TIMES),
    behaviour: { ...behaviour, ...detailsOf(field, given, behaviour.type) },
  };
}

const DETAILS = ["do", "times", "hintMs", "message", "shouldRetry", "text"];
const TIMES = { min: 1, max: 1_000_000, integer: true };

function detailsOf(field: string, given: Readonly<Record<string, unknown>>, type: string): object {
  const { hintMs, message, shouldRetry, text } = given;
  for (const name of ["hintMs", "message", "shouldRetry"]) {
    if (given[name] !== undefined && type !== "error")
      throw new InvalidInput(`${field}.${name}`, given[name], "used with an error");
  }
  if (text !== undefined && (type === "error" || type === "leak"))
    throw new InvalidInput(`${field}.text`, text, "used with an answer");
  return {
    ...(hintMs !== undefined && { hintMs: checkNumber(`${field}.hintMs`, hintMs, { min: 0, max: 86_400_000 }) }),
    ...(message !== undefined && { message: checkString(`${field}.message`, message) }),
    ...(shouldRetry !== undefined && { shouldRetry: checkBoolean(`${field}.shouldRetry`, shouldRetry) }),
    ...(text !== undefined && { content: { text: checkString(`${field}.text`, text) } }),
  };
}

function behaviourOf(field: string, value: unknown): TimedBehaviour {
  const found = typeof value === "string" ? parseBehaviour(value) : undefined;
  if (found === undefined) throw new InvalidInput(field, value, `one of ${BEHAVIOUR_NAMES.join(", ")}`);
  return found;
}
