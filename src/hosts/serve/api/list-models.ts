import type { Assembly } from "../../../assembly/index.ts";
import { readEndpoints, SIMULATED } from "../../../providers/index.ts";
import type { ModelInfo } from "../../../wire/http/server.ts";

/** The models that can be used now, the simulated ones last. A turn may name any other model of these providers too. */
export function listModels(
  { providers }: Pick<Assembly, "providers">,
  env: Readonly<Record<string, string | undefined>>,
): readonly ModelInfo[] {
  const endpoints = [...readEndpoints(env), SIMULATED];
  const usable = endpoints.filter(({ name }) => (providers.get(name)?.credentials.length ?? 0) > 0);
  return usable.flatMap(({ name, models }) =>
    models.map((model): ModelInfo => ({ id: `${name}/${model}`, provider: name })),
  );
}
