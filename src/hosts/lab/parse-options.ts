import { checkNumber, checkOneOf, InvalidInput } from "../../kernel/index.ts";
import { type LabPolicy, SCENARIO_NAMES, type SurveyInput, scenarioOf } from "../../simulator/lab/index.ts";
import { readPolicy } from "./read-policy.ts";

/** As the command line gives them. */
export interface LabOptions {
  readonly scenario?: string;
  readonly policy?: string;
  readonly compare?: readonly string[];
  readonly clients?: string;
  readonly seeds?: string;
  readonly firstSeed?: string;
  readonly replicas?: string;
  readonly outage?: string;
  readonly report?: string;
  readonly json?: boolean;
}

const MOST_COMPARED = 4;
const SECOND = 1000;

/** What the options ask for. Throws `InvalidInput` naming the option. */
export function parseOptions(options: LabOptions): SurveyInput {
  const { scenario = "black-hole", outage } = options;
  return {
    scenario: scenarioOf(checkOneOf("--scenario", scenario, SCENARIO_NAMES)),
    policies: parsePolicies(options),
    clients: parseCount("--clients", options.clients ?? "1000", { min: 1, max: 20_000 }),
    seeds: parseCount("--seeds", options.seeds ?? "5", { min: 1, max: 1000 }),
    firstSeed: parseCount("--first-seed", options.firstSeed ?? "1", { min: 0, max: 2 ** 31 - 1 }),
    replicas: parseCount("--replicas", options.replicas ?? "1", { min: 1, max: 20_000 }),
    ...(outage !== undefined && { outageMs: parseCount("--outage", outage, { min: 1, max: 86_400 }) * SECOND }),
  };
}

function parsePolicies({ policy, compare }: LabOptions): readonly LabPolicy[] {
  if (compare === undefined) return [readPolicy("--policy", policy ?? "default")];
  if (policy !== undefined) throw new InvalidInput("--policy", policy, "left out beside --compare");
  if (compare.length < 2 || compare.length > MOST_COMPARED) {
    throw new InvalidInput("--compare", compare.join(" "), `two to ${MOST_COMPARED} policies`);
  }
  const policies = compare.map((name) => readPolicy("--compare", name));
  const names = policies.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new InvalidInput("--compare", twice, "named once");
  return policies;
}

function parseCount(option: string, text: string, bounds: { readonly min: number; readonly max: number }): number {
  const isWhole = /^\d{1,15}$/.test(text);
  return checkNumber(option, isWhole ? Number(text) : text, { ...bounds, integer: true });
}
