import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { checkOneOf, InvalidInput } from "../src/kernel/index.ts";
import { SCENARIO_NAMES, type ScenarioName } from "../src/simulator/lab/index.ts";
import { parseNumber } from "../src/terminal/parse-number.ts";
import type { CellChoice } from "./cells.ts";

/** What `tune` and `judge` have in common. */
export interface CommonOptions extends CellChoice {
  /** At most so many seeds for each cell. Default: set by the size. */
  readonly seeds: number | undefined;
  readonly processes: number;
  readonly out: string | undefined;
  readonly sets: readonly string[];
  readonly isQuick: boolean;
  readonly isHelp: boolean;
}

export const COMMON_USAGE = `  --scenarios A,B   only these (default: all)
  --clients 1,50    only these sizes (default: 1, 5, 50, 1000, 10000)
  --replicas 1,20   processes that share the clients (default: 1 and 20)
  --seeds N         at most N seeds for each cell
  --jobs N          processes that work at the same time (default: all cores)
  --out FILE        also write everything as JSON`;

/** Throws `InvalidInput` or parseArgs' own error. */
export function parseOptions(args: readonly string[], allowed: readonly ("set" | "quick")[]): CommonOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      scenarios: { type: "string" },
      clients: { type: "string" },
      replicas: { type: "string" },
      seeds: { type: "string" },
      jobs: { type: "string" },
      out: { type: "string" },
      help: { type: "boolean" },
      set: { type: "string", multiple: true },
      quick: { type: "boolean" },
    },
  });
  for (const name of ["set", "quick"] as const) {
    if (values[name] !== undefined && !allowed.includes(name)) throw new InvalidInput(`--${name}`, true, "omitted");
  }
  const whole = (name: string, text: string, max: number): number =>
    parseNumber(name, text, { min: 1, max, integer: true });
  const list = (name: string, text: string | undefined): readonly number[] | undefined =>
    text?.split(",").map((part) => whole(name, part, 20_000));
  const scenarios = values.scenarios?.split(",").map((name) => checkOneOf("--scenarios", name, SCENARIO_NAMES));
  const clients = list("--clients", values.clients);
  const replicas = list("--replicas", values.replicas);
  return {
    ...(scenarios !== undefined && { scenarios: scenarios as readonly ScenarioName[] }),
    ...(clients !== undefined && { clients }),
    ...(replicas !== undefined && { replicas }),
    seeds: values.seeds === undefined ? undefined : whole("--seeds", values.seeds, 1000),
    processes: values.jobs === undefined ? availableParallelism() : whole("--jobs", values.jobs, 256),
    out: values.out,
    sets: values.set ?? [],
    isQuick: values.quick === true,
    isHelp: values.help === true,
  };
}
