import { FAILURE_KINDS, type FailureKind } from "../model/failure.ts";
import type { Policy, Rule } from "../model/policy.ts";
import { type Schedule, schedule } from "./schedule.ts";

/** A rule whose schedule is found by its place instead of its name. */
export type PreparedRule = Rule & { readonly scheduleIndex: number };

/** A policy made ready for running: schedules compiled, rules pointing at them. */
export interface PreparedPolicy {
  readonly policy: Policy;
  readonly schedules: readonly Schedule[];
  readonly scheduleNames: readonly string[];
  /** Where the schedule `general` stands. */
  readonly general: number;
  readonly rules: Readonly<Record<FailureKind, PreparedRule>>;
  readonly statuses: ReadonlyMap<number, PreparedRule>;
  /** Empty where the policy has no filter. */
  readonly filterIds: ReadonlySet<string>;
}

/** Policies are frozen, so one preparation serves for ever. */
const prepared = new WeakMap<Policy, PreparedPolicy>();

export function preparePolicy(policy: Policy): PreparedPolicy {
  const known = prepared.get(policy);
  if (known !== undefined) return known;
  const scheduleNames = Object.keys(policy.schedules);
  const point = (rule: Rule): PreparedRule => ({
    ...rule,
    scheduleIndex: "schedule" in rule ? scheduleNames.indexOf(rule.schedule) : -1,
  });
  const made: PreparedPolicy = {
    policy,
    schedules: Object.entries(policy.schedules).map(([name, spec]) => schedule(spec, `policy.schedules.${name}`)),
    scheduleNames,
    general: scheduleNames.indexOf("general"),
    rules: Object.fromEntries(FAILURE_KINDS.map((kind) => [kind, point(policy.rules[kind])])) as Record<
      FailureKind,
      PreparedRule
    >,
    statuses: new Map(Object.entries(policy.statuses).map(([status, rule]) => [Number(status), point(rule)])),
    filterIds: new Set(policy.filter?.ids),
  };
  prepared.set(policy, made);
  return made;
}

/** Whether a value is a finished policy, made by `definePolicy`. */
export function isPolicy(value: unknown): value is Policy {
  // A weak map may be asked about anything.
  return prepared.has(value as Policy);
}
