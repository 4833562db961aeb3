import type { BreakerSpec, RetryBudgetSpec } from "../model/policy.ts";
import { type Counts, readCounts, sentCounts } from "./counts.ts";
import { type Fact, readFact, sentFact } from "./fact.ts";

/** The calls of one process to one target, in all. */
export interface TargetCounts {
  readonly target: SharedName;
  readonly counts: Counts;
  /** The last change of the provider's breaker that the process knew of; 0: none. */
  readonly stamp: number;
}

/** A target by names that mean the same in every process. No secret, and nothing that a secret can be guessed from. */
export interface SharedName {
  readonly provider: string;
  readonly model: string;
  readonly credential: string;
}

export function nameKey({ provider, model, credential }: SharedName): string {
  return `${provider}\0${model}\0${credential}`;
}

/** The part of a policy that shapes the state of health. */
export interface Specs {
  readonly breaker: BreakerSpec | null;
  readonly budget: RetryBudgetSpec | null;
}

export const NO_SPECS: Specs = { breaker: null, budget: null };

/** What a process announces. */
export interface Message {
  /** Who: a new name for each life of a process. */
  readonly from: string;
  readonly facts: readonly Fact[];
  readonly targets: readonly TargetCounts[];
  readonly specs: Specs;
}

const VERSION = 1;

export function writeMessage({ from, facts, targets, specs }: Message): string {
  return JSON.stringify({
    v: VERSION,
    from,
    ...(facts.length > 0 && { facts: facts.map(sentFact) }),
    ...(targets.length > 0 && {
      specs: { breaker: specs.breaker, budget: specs.budget },
      calls: targets.map(({ target: { provider, model, credential }, counts, stamp }) => [
        ...[provider, model, credential, stamp],
        sentCounts(counts),
      ]),
    }),
  });
}

/** Undefined for anything else: another version, another program, nonsense. */
export function readMessage(text: string, sharedMs: number): Message | undefined {
  const sent = parse(text);
  if (typeof sent !== "object" || sent === null) return undefined;
  const { v, from, facts = [], calls = [], specs } = sent as Record<string, unknown>;
  if (v !== VERSION || typeof from !== "string" || from === "" || !Array.isArray(facts) || !Array.isArray(calls)) {
    return undefined;
  }
  return {
    from,
    facts: facts.flatMap((fact) => readFact(fact, sharedMs) ?? []),
    targets: calls.flatMap((call) => readCalls(call) ?? []),
    specs: readSpecs(specs),
  };
}

function readCalls(sent: unknown): TargetCounts | undefined {
  if (!Array.isArray(sent) || sent.length !== 5) return undefined;
  const [provider, model, credential, stamp, list] = sent as readonly unknown[];
  const counts = readCounts(list);
  if (typeof provider !== "string" || typeof model !== "string" || typeof credential !== "string") return undefined;
  if (typeof stamp !== "number" || !(stamp >= 0) || counts === undefined) return undefined;
  return { target: { provider, model, credential }, stamp, counts };
}

const BREAKER_FIELDS = ["failures", "leastShare", "cooldownMs", "maxCooldownMs", "rampMs"] as const;
const BUDGET_FIELDS = ["capacity", "capacitySeconds", "refillPerSuccess", "refillPerSecond"] as const;

/** What is not whole counts as none: then the calls only count as calls. */
function readSpecs(sent: unknown): Specs {
  const { breaker, budget } = (typeof sent === "object" && sent !== null ? sent : {}) as Record<string, unknown>;
  return { breaker: readNumbers(breaker, BREAKER_FIELDS), budget: readNumbers(budget, BUDGET_FIELDS) };
}

function readNumbers<Field extends string>(sent: unknown, fields: readonly Field[]): Record<Field, number> | null {
  if (typeof sent !== "object" || sent === null) return null;
  const numbers = fields.map((field) => [field, (sent as Record<string, unknown>)[field]] as const);
  if (!numbers.every(([, value]) => typeof value === "number" && value >= 0)) return null;
  return Object.fromEntries(numbers) as Record<Field, number>;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
