import { PRESETS } from "../../presets/index.ts";
import { WEATHERS } from "../../simulator/http/behaviour/weather.ts";
import { LAB_POLICY_NAMES, SCENARIO_NAMES } from "../../simulator/lab/index.ts";

/** Values that `secondwind complete` looks up when Tab is pressed. */
export const LOOKED_UP = ["models", "embeddings", "conversations", "providers", "keys", "access"] as const;

export type LookedUp = (typeof LOOKED_UP)[number];

/** What may follow an option, or stand as the first argument of a command. */
export interface Values {
  readonly lookUp?: LookedUp;
  readonly words?: readonly string[];
  /** A file may be named as well. */
  readonly orFile?: boolean;
}

const POLICY: Values = { words: Object.keys(PRESETS), orFile: true };

/** By option, with its command where the same option differs. */
const OPTIONS: Readonly<Record<string, Values>> = {
  "--model": { lookUp: "models" },
  "embed --model": { lookUp: "embeddings" },
  "--session": { lookUp: "conversations" },
  "--conversation": { lookUp: "conversations" },
  "--policy": POLICY,
  "lab --policy": { words: LAB_POLICY_NAMES, orFile: true },
  "lab --compare": { words: LAB_POLICY_NAMES, orFile: true },
  "lab --scenario": { words: [...SCENARIO_NAMES, "rate-limited-batch"] },
  "--weather": { words: WEATHERS },
  "serve --log": { words: ["text", "json"] },
  "--provider": { lookUp: "providers" },
};

const ARGUMENTS: Readonly<Record<string, Values>> = {
  "keys add": { lookUp: "providers" },
  "keys remove": { lookUp: "keys" },
  "access remove": { lookUp: "access" },
};

/** Undefined: anything, such as a file. */
export function valuesOf(path: readonly string[], option: string): Values | undefined {
  return OPTIONS[[...path, option].join(" ")] ?? OPTIONS[option];
}

export function argumentsOf(path: readonly string[]): Values | undefined {
  return ARGUMENTS[path.join(" ")];
}
