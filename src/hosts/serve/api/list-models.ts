import type { Assembly } from "../../../assembly/index.ts";
import { readEndpoints, SIMULATED } from "../../../providers/index.ts";
import type { HealthItem, HealthView } from "../../../wire/http/activity.ts";
import type { ModelInfo } from "../../../wire/http/server.ts";

/** The models that can be used now, the simulated ones last. A turn may name any other model of these providers too. */
export function listModels(
  { providers }: Pick<Assembly, "providers">,
  env: Readonly<Record<string, string | undefined>>,
  { items }: Pick<HealthView, "items">,
): readonly ModelInfo[] {
  const cooldowns = items.filter(({ type }) => type === "cooldown");
  return [...readEndpoints(env), SIMULATED].flatMap(({ name, models }) => {
    const credentials = providers.get(name)?.credentials ?? [];
    if (credentials.length === 0) return [];
    return models.map((model): ModelInfo => {
      const until = coolingUntil({ provider: name, model, credentials }, cooldowns);
      return { id: `${name}/${model}`, provider: name, ...(until !== undefined && { coolingUntil: until }) };
    });
  });
}

interface Wanted {
  readonly provider: string;
  readonly model: string;
  readonly credentials: readonly string[];
}

/** Undefined: the model, or one of its credentials, does not cool down. The earliest end counts: then it can be used again. */
function coolingUntil({ provider, model, credentials }: Wanted, cooldowns: readonly HealthItem[]): number | undefined {
  const fitting = cooldowns.filter((one) => one.provider === provider && (one.model ?? model) === model);
  const latest = (found: readonly HealthItem[]): number | undefined =>
    found.length === 0 ? undefined : Math.max(...found.map(({ until = 0 }) => until));
  const ofModel = latest(fitting.filter(({ credential }) => credential === undefined));
  const ofEach = credentials.map((id) => latest(fitting.filter(({ credential }) => credential === id)));
  const known = ofEach.filter((until) => until !== undefined);
  const ofAll = known.length < ofEach.length ? undefined : Math.min(...known);
  if (ofModel === undefined || ofAll === undefined) return ofModel ?? ofAll;
  return Math.max(ofModel, ofAll);
}
