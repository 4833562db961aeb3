import { InvalidInput } from "../../kernel/index.ts";
import {
  type Entrant,
  SCENARIO_NAMES,
  type ScenarioName,
  type SurveyInput,
  scenarioOf,
} from "../../simulator/lab/index.ts";
import { parseNumber } from "../../terminal/parse-number.ts";
import { BATCH_SCENARIO } from "./lab-batch.ts";
import { readPolicy } from "./read-policy.ts";

/** The options of `secondwind lab`, as commander gives them. */
export interface LabOptions {
  readonly scenario: string;
  readonly policy?: string;
  readonly compare?: readonly string[];
  readonly clients: string;
  readonly seeds: string;
  readonly firstSeed: string;
  readonly replicas: string;
  readonly shared?: boolean;
  readonly outage?: string;
  readonly report?: string;
  readonly json?: boolean;
}

const MOST_COMPARED = 8;
const SECOND = 1000;

/** Throws `InvalidInput` naming the option. */
export function parseOptions(options: LabOptions): SurveyInput {
  const { outage } = options;
  return {
    scenario: scenarioOf(checkScenario(options.scenario)),
    policies: parsePolicies(options),
    clients: parseNumber("--clients", options.clients, { min: 1, max: 20_000, integer: true }),
    seeds: parseNumber("--seeds", options.seeds, { min: 1, max: 1000, integer: true }),
    firstSeed: parseNumber("--first-seed", options.firstSeed, { min: 0, max: 2 ** 31 - 1, integer: true }),
    replicas: parseNumber("--replicas", options.replicas, { min: 1, max: 20_000, integer: true }),
    isShared: options.shared === true,
    ...(outage !== undefined && {
      outageMs: parseNumber("--outage", outage, { min: 1, max: 86_400, integer: true }) * SECOND,
    }),
  };
}

/** The batch is a scenario of its own, without policies. */
function checkScenario(name: string): ScenarioName {
  const known = SCENARIO_NAMES.find((one) => one === name);
  if (known !== undefined) return known;
  throw new InvalidInput("--scenario", name, `one of ${[...SCENARIO_NAMES, BATCH_SCENARIO].join(", ")}`);
}

function parsePolicies({ policy, compare }: LabOptions): readonly Entrant[] {
  if (compare === undefined) return [readPolicy("--policy", policy ?? "default")];
  if (policy !== undefined) throw new InvalidInput("--policy", policy, "omitted when --compare is used");
  if (compare.length < 2 || compare.length > MOST_COMPARED) {
    throw new InvalidInput("--compare", compare.join(" "), `two to ${MOST_COMPARED} policies`);
  }
  const policies = compare.map((name) => readPolicy("--compare", name));
  const names = policies.map(({ policy: { name } }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new InvalidInput("--compare", twice, "named once");
  return policies;
}
