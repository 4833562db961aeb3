import type { Assembly } from "../../assembly/index.ts";
import { SIMULATED } from "../../providers/index.ts";
import { parseSelector } from "../../wire/selector.ts";

/** What a turn uses that neither its request nor its conversation names. */
export interface TurnDefaults {
  /** `provider/model`. */
  readonly model: string;
  /** Name of a preset or of an own policy. */
  readonly policy: string;
}

/** Follows the weather: its name is not that of a behaviour. */
const SIMULATED_MODEL = `${SIMULATED.name}/weather`;

/** The settings `serve.model` and `serve.policy`, read anew each time. A model whose key is gone counts as not set. */
export function turnDefaults({ store, providers, defaultModel }: Assembly): () => Promise<TurnDefaults> {
  const usual = defaultModel.startsWith(`${SIMULATED.name}/`) ? SIMULATED_MODEL : defaultModel;
  return async () => {
    const [model, policy] = await Promise.all([store.config.get("serve.model"), store.config.get("serve.policy")]);
    const provider = parseSelector(model)?.provider;
    const isUsable = provider !== undefined && (providers.get(provider)?.credentials.length ?? 0) > 0;
    return { model: isUsable ? model : usual, policy };
  };
}
