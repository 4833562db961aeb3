import type { Policy } from "../../../kernel/index.ts";
import { type TavernSettings, tavernPolicy } from "../../../presets/index.ts";
import { readPattern } from "../../../presets/written-pattern.ts";
import { validatePatternNow } from "../../../system/guarded-pattern/validate-pattern-now.ts";
import type { Settings } from "../settings/schema.ts";
import { type FallbackChain, fallbackChain } from "./fallback-chain.ts";

/** The settings as the engine takes them. */
export interface Plan {
  readonly policy: Policy;
  readonly chain: FallbackChain;
}

const plans = new WeakMap<Settings, Plan>();

/** Cached for each settings object, so that a call costs nothing. */
export function planFor(settings: Settings): Plan {
  const known = plans.get(settings);
  if (known !== undefined) return known;
  const chain = fallbackChain(settings);
  const plan = { policy: policyFor(settings), chain };
  for (const warning of chain.warnings) console.warn(`Secondwind: ${warning}`);
  plans.set(settings, plan);
  return plan;
}

export function policyFor(settings: Settings): Policy {
  const { fallbackModelsEnabled, fallbackModels, showRetryToast, showSuccessToast, showFailureToast, ...rest } =
    settings;
  const given: TavernSettings = {
    ...rest,
    // `isCarried` decides before the engine is involved at all.
    enabled: true,
    filterEnabled: false,
    requiredContentEnabled: rest.requiredContentEnabled && patternProblem(rest) === undefined,
  };
  return tavernPolicy(given);
}

/** Why the required content can't be used. A pattern that was not entered in the panel must not disable the retries. */
export function patternProblem({
  requiredContentIsRegex,
  requiredContentPattern,
}: Pick<Settings, "requiredContentIsRegex" | "requiredContentPattern">): string | undefined {
  if (!requiredContentIsRegex) return undefined;
  const { pattern, flags } = readPattern(requiredContentPattern);
  const validity = validatePatternNow(pattern, flags);
  return validity.ok ? undefined : validity.reason;
}

/** Whether a call is carried at all. A call without an id counts as the empty id. */
export function isCarried({ enabled, filterEnabled, filterMode, filterGenerationIds }: Settings, id: string): boolean {
  if (!enabled) return false;
  return !filterEnabled || filterGenerationIds.includes(id) === (filterMode === "whitelist");
}
