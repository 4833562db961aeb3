import { BASE_POLICY, definePolicy, InvalidInput, type Policy, type PolicyInput } from "../../../../kernel/index.ts";
import { partsOf, valueAt, withValueAt } from "./policy-path.ts";

/** A policy as it is being edited. A field holds the text that was typed where that is no number: the engine's check refuses it. */
export type Draft = Readonly<Record<string, unknown>>;

/** What the engine's own check says against one field. */
export interface Problem {
  /** Without `policy.`, as in the field table but with names and numbers. */
  readonly path: string;
  /** The engine's words, in English. */
  readonly allowed: string;
  readonly message: string;
}

export interface Checked {
  readonly problems: readonly Problem[];
  /** The draft, with the last valid value in place of each problem. */
  readonly policy: Policy;
}

/** Each turn takes one problem away; a policy from a file may have many. */
const MOST_PROBLEMS = 100;

/**
 * Checks a draft with the engine's own `definePolicy`. That stops at the first problem, so each one is replaced by what `valid` has
 * there, and the rest is checked again.
 */
export function checkDraft(draft: Draft, valid: Policy): Checked {
  const problems = new Map<string, Problem>();
  let candidate = draft;
  for (let turn = 0; turn < MOST_PROBLEMS; turn++) {
    try {
      return { problems: [...problems.values()], policy: definePolicy(candidate as PolicyInput) };
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      const path = pathOf(error.field);
      const isNew = !problems.has(path);
      if (isNew) problems.set(path, { path, allowed: error.allowed, message: error.message });
      candidate = isNew ? repaired(candidate, path, valid) : withoutPart(candidate, path);
    }
  }
  return { problems: [...problems.values()], policy: valid };
}

function pathOf(field: string): string {
  return field.replace(/^policy\.?/, "").replace(/^statuses key (.*)$/s, "statuses.$1");
}

function repaired(draft: Draft, path: string, valid: Policy): Draft {
  const parts = partsOf(path);
  // A rule is replaced as a whole: half of an old rule and half of a new one need not make one.
  const whole = parts[0] === "rules" || parts[0] === "statuses" ? parts.slice(0, 2) : parts;
  const at = joined(whole);
  return withValueAt(draft, at, valueAt(valid, at));
}

/** What is still refused after its repair goes as a whole: an unknown field, or a list that does not fit together. */
function withoutPart(draft: Draft, path: string): Draft {
  const [top = ""] = partsOf(path);
  const inner = valueAt(draft, path);
  const removed = inner === undefined ? draft : withValueAt(draft, path, undefined);
  const hasLeft = JSON.stringify(removed) !== JSON.stringify(draft);
  return hasLeft ? removed : withValueAt(draft, String(top), valueAt(BASE_POLICY, String(top)));
}

function joined(parts: readonly (string | number)[]): string {
  return parts.map((part, at) => (typeof part === "number" ? `[${part}]` : at === 0 ? part : `.${part}`)).join("");
}
