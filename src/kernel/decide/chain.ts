import { checkArray, checkObject, checkString } from "../model/check.ts";
import type { Target, TargetEntry } from "../model/target.ts";

/** The ordered targets of a generation: every credential of the first model, then those of the next, and so on. */
export interface Chain {
  readonly targets: readonly Target[];
  /** For each target the entry it came from: targets of one entry differ only in their credential. */
  readonly entryOf: readonly number[];
  /** What was wrong with skipped entries. */
  readonly warnings: readonly string[];
}

const ANONYMOUS: Target = Object.freeze({ provider: "", model: "", credential: "" });

/** For calls that name no target: one, without a name. */
export const SINGLE_TARGET: Chain = Object.freeze({ targets: [ANONYMOUS], entryOf: [0], warnings: [] });

/** Spreads entries into targets. An unusable entry (no credential, no model) is skipped with a warning. */
export function chainOf(entries: readonly TargetEntry[], field = "targets"): Chain {
  const targets: Target[] = [];
  const entryOf: number[] = [];
  const warnings: string[] = [];
  checkArray(field, entries).forEach((raw, index) => {
    const at = `${field}[${index}]`;
    const entry = checkObject(at, raw, ["provider", "model", "credentials"]);
    const provider = checkString(`${at}.provider`, entry.provider);
    const model = checkString(`${at}.model`, entry.model);
    const credentials =
      entry.credentials === undefined
        ? [""]
        : checkArray(`${at}.credentials`, entry.credentials).map((id, i) => checkString(`${at}.credentials[${i}]`, id));
    const problem = model.trim() === "" ? "it names no model" : credentials.length === 0 ? "it has no key" : undefined;
    if (problem !== undefined) {
      warnings.push(`${at} (${provider}/${model}) is skipped: ${problem}`);
      return;
    }
    for (const credential of new Set(credentials)) {
      targets.push(Object.freeze({ provider, model, credential }));
      entryOf.push(index);
    }
  });
  return Object.freeze({ targets, entryOf, warnings });
}

/** The positions of all targets that share an entry with the one at `position`. */
export function entryTargets(entryOf: readonly number[], position: number): readonly number[] {
  return entryOf.flatMap((entry, index) => (entry === entryOf[position] ? [index] : []));
}
