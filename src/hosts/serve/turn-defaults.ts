import type { Assembly } from "../../assembly/index.ts";
import { parseSelector } from "../../wire/selector.ts";
import type { TurnDefaults } from "./chat/chat-parts.ts";

/** The settings `serve.model` and `serve.policy`, read anew each time. A model whose key is gone counts as not set. */
export function turnDefaults({ store, providers, defaultModel }: Assembly): () => Promise<TurnDefaults> {
  return async () => {
    const [model, policy] = await Promise.all([store.config.get("serve.model"), store.config.get("serve.policy")]);
    const provider = parseSelector(model)?.provider;
    const isUsable = provider !== undefined && (providers.get(provider)?.credentials.length ?? 0) > 0;
    return { model: isUsable ? model : defaultModel, policy };
  };
}
