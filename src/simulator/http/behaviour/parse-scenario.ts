import type { TimedBehaviour } from "./behaviour.ts";
import { BEHAVIOUR_NAMES, parseBehaviour } from "./parse-behaviour.ts";
import { JsonFault, type Located, parseJsonLines } from "./parse-json-lines.ts";
import { WEATHERS, type Weather } from "./weather.ts";

/** What a scenario file says: for each model a list of behaviours, played one after another. */
export interface Scenario {
  readonly seed?: number;
  readonly weather?: Weather;
  readonly timeScale?: number;
  /** `*` stands for every model that is not named. The last behaviour of a list stays. */
  readonly models: ReadonlyMap<string, readonly TimedBehaviour[]>;
}

/** Thrown for a scenario that makes no sense: names the line and the field. */
export class InvalidScenario extends Error {
  readonly line: number;
  readonly field: string;

  constructor(line: number, field: string, message: string) {
    super(`scenario, line ${line}${field === "" ? "" : `, ${field}`}: ${message}`);
    this.name = "InvalidScenario";
    this.line = line;
    this.field = field;
  }
}

interface Place {
  readonly node: Located;
  readonly field: string;
}

/** Reads a scenario from the text of its file. Throws `InvalidScenario`. */
export function parseScenario(text: string): Scenario {
  const root: Place = { node: located(text), field: "" };
  const fields = fieldsOf(root, ["seed", "weather", "timeScale", "models"]);
  const models = fields.get("models");
  const lists = models === undefined ? [] : [...fieldsOf(models)];
  return {
    ...optional(fields, "seed", (place) => numberOf(place, { least: 0, most: 2 ** 32 - 1 })),
    ...optional(fields, "timeScale", (place) => numberOf(place, { least: 0, most: 1000 })),
    ...optional(fields, "weather", weatherOf),
    models: new Map(lists.map(([model, place]) => [model, stepsOf(place)])),
  };
}

function located(text: string): Located {
  try {
    return parseJsonLines(text);
  } catch (fault) {
    if (fault instanceof JsonFault) throw new InvalidScenario(fault.line, "", fault.message);
    throw fault;
  }
}

function fail({ node, field }: Place, message: string): never {
  throw new InvalidScenario(node.line, field, message);
}

function fieldsOf(place: Place, allowed?: readonly string[]): ReadonlyMap<string, Place> {
  if (place.node.type !== "object") return fail(place, "must be an object");
  const prefix = place.field === "" ? "" : `${place.field}.`;
  const places = [...place.node.fields].map(([name, node]) => [name, { node, field: prefix + name }] as const);
  for (const [name, unknown] of places) {
    if (allowed !== undefined && !allowed.includes(name)) fail(unknown, `is unknown; known are ${allowed.join(", ")}`);
  }
  return new Map(places);
}

function optional<N extends string, T>(
  fields: ReadonlyMap<string, Place>,
  name: N,
  read: (place: Place) => T,
): { readonly [name in N]?: T } {
  const place = fields.get(name);
  return (place === undefined ? {} : { [name]: read(place) }) as { readonly [name in N]?: T };
}

function numberOf(place: Place, { least, most }: { readonly least: number; readonly most: number }): number {
  const { node } = place;
  const isNumber = node.type === "plain" && typeof node.value === "number";
  if (isNumber && Number(node.value) >= least && Number(node.value) <= most) return Number(node.value);
  return fail(place, `must be a number from ${least} to ${most}`);
}

function textOf(place: Place, what: string): string {
  const { node } = place;
  return node.type === "plain" && typeof node.value === "string" ? node.value : fail(place, `must be ${what}`);
}

function weatherOf(place: Place): Weather {
  const given = textOf(place, WEATHERS.join(", "));
  return WEATHERS.find((weather) => weather === given) ?? fail(place, `must be one of ${WEATHERS.join(", ")}`);
}

function stepsOf(place: Place): readonly TimedBehaviour[] {
  const { node, field } = place;
  if (node.type !== "array" || node.items.length === 0) return fail(place, "must be a list of at least one behaviour");
  return node.items.map((item, n) => stepOf({ node: item, field: `${field}[${n}]` }));
}

/** `"overloaded@2"`, or `{"do": "rate-limited", "times": 2, "hintMs": 1500}`. */
function stepOf(place: Place): TimedBehaviour {
  if (place.node.type === "plain") return { times: 1, ...namedOf(place) };
  const fields = fieldsOf(place, ["do", "times", "hintMs", "text"]);
  const named = namedOf(fields.get("do") ?? fail(place, 'needs a field "do"'));
  const { times, hintMs, text } = {
    ...optional(fields, "times", (at) => Math.floor(numberOf(at, { least: 1, most: 1_000_000 }))),
    ...optional(fields, "hintMs", (at) => numberOf(at, { least: 0, most: 86_400_000 })),
    ...optional(fields, "text", (at) => textOf(at, "a text")),
  };
  const { behaviour } = named;
  if (hintMs !== undefined && behaviour.type !== "refuse")
    fail(fields.get("hintMs") ?? place, "needs a refusal to go with");
  if (text !== undefined && behaviour.type !== "answer")
    fail(fields.get("text") ?? place, "needs an answer to go with");
  return {
    name: named.name,
    times: times ?? named.times ?? 1,
    behaviour: {
      ...behaviour,
      ...(behaviour.type === "refuse" && hintMs !== undefined && { hintMs }),
      ...(behaviour.type === "answer" && text !== undefined && { say: { text } }),
    },
  };
}

function namedOf(place: Place): TimedBehaviour {
  const name = textOf(place, "the name of a behaviour");
  return parseBehaviour(name) ?? fail(place, `${JSON.stringify(name)} is none of ${BEHAVIOUR_NAMES.join(", ")}`);
}
