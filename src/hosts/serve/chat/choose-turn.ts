import { WATCHDOG } from "../../../assembly/index.ts";
import { definePolicy, InvalidInput, type Policy, type TargetEntry } from "../../../kernel/index.ts";
import { PRESETS } from "../../../presets/presets.ts";
import { lastLeader } from "../../../session/record/last-leader.ts";
import { chainFor, entriesFor } from "../../../session/retry/chain-for.ts";
import type { SessionEntry } from "../../../wire/index.ts";
import { checkSelector, parseSelector } from "../../../wire/selector.ts";
import type { ChatParts } from "./chat-parts.ts";
import { lastPolicy } from "./conversation-view.ts";

/** What a request may name. */
export interface TurnChoice {
  readonly model?: string | undefined;
  readonly policy?: string | undefined;
}

export interface ChosenTurn {
  /** `provider/model`. */
  readonly model: string;
  /** The model that answered last, which may be a fallback. Absent: the conversation is new. */
  readonly active?: string;
  /** The request names another model than the one that led the conversation. */
  readonly isNewModel: boolean;
  readonly policyName: string;
  readonly policy: Policy;
  readonly targets: readonly TargetEntry[];
}

/** What a turn runs with: what its request names, else what the last turn had, else the settings. */
export async function chooseTurn(
  parts: ChatParts,
  entries: readonly SessionEntry[],
  choice: TurnChoice,
): Promise<ChosenTurn> {
  const [defaults, settings] = await Promise.all([parts.defaults(), parts.settings()]);
  const before = lastLeader(entries, settings);
  const model = choice.model ?? usable(before, parts) ?? defaults.model;
  checkSelector("model", model, parts.providers);
  const named = choice.policy ?? lastPolicy(entries) ?? defaults.policy;
  const { name, policy } = await findPolicy(parts, named, choice.policy === undefined ? defaults.policy : named);
  const targets = entriesFor(chainFor("default", model, settings), parts.providers);
  const active = lastChange(entries) ?? before;
  return {
    ...{ model, isNewModel: before !== undefined && before !== model, targets },
    ...(active !== undefined && { active }),
    ...{ policyName: name, policy: withWatchdog(policy) },
  };
}

function lastChange(entries: readonly SessionEntry[]): string | undefined {
  const change = entries.findLast((entry) => entry.type === "model_change");
  return change?.type === "model_change" ? change.data.to : undefined;
}

/** The provider of an older turn may be gone since. */
function usable(model: string | undefined, { providers }: ChatParts): string | undefined {
  const provider = model === undefined ? undefined : parseSelector(model)?.provider;
  return provider !== undefined && providers.has(provider) ? model : undefined;
}

/** A policy that the last turn had may have been deleted since: then `otherwise` is used. */
async function findPolicy(
  { policyOf }: ChatParts,
  named: string,
  otherwise: string,
): Promise<{ readonly name: string; readonly policy: Policy }> {
  for (const name of new Set([named, otherwise])) {
    const policy = await policyOf(name);
    if (policy !== undefined) return { name, policy };
  }
  throw new InvalidInput("policy", named, `a preset (${Object.keys(PRESETS).join(", ")}) or an own policy`);
}

const watched = new WeakMap<Policy, Policy>();

/** A stream that stays silent would block the conversation forever. */
function withWatchdog(policy: Policy): Policy {
  const { firstContentMs, idleMs } = policy.watchdog;
  if (firstContentMs !== null || idleMs !== null) return policy;
  const known = watched.get(policy) ?? definePolicy({ watchdog: WATCHDOG }, policy);
  watched.set(policy, known);
  return known;
}
