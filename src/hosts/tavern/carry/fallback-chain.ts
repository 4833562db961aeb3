import type { Target, TargetEntry } from "../../../kernel/index.ts";
import { type FallbackModel, fallbackModelSchema, type Settings } from "../settings/schema.ts";
import { copyPlain } from "./copy-plain.ts";

export type Config = Readonly<Record<string, unknown>>;

/** The chain of a generation: the caller's own model, then the usable fallback models. */
export interface FallbackChain {
  readonly targets: readonly TargetEntry[];
  /** Why entries were skipped, for the log. */
  readonly warnings: readonly string[];
  modelFor(target: Target): FallbackModel | undefined;
}

/** We don't know the name of the first target: the host chooses it. */
const PRIMARY: TargetEntry = { provider: "", model: "primary" };

export function fallbackChain({ fallbackModelsEnabled, fallbackModels }: Settings): FallbackChain {
  const listed = fallbackModelsEnabled ? fallbackModels : [];
  const usable = new Map<string, FallbackModel>();
  const warnings: string[] = [];
  listed.forEach((entry, index) => {
    const parsed = fallbackModelSchema.safeParse(entry);
    // The position is the credential's id: two entries may differ in address and key only.
    if (parsed.success) usable.set(String(index + 1), parsed.data);
    else
      warnings.push(
        `Skipped fallback model ${index + 1}: ${parsed.error.issues.map((issue) => issue.message).join(", ")}`,
      );
  });
  const named = new Set<string>();
  const entries = [...usable].map(([credential, { source, model }]) => {
    const isTwin = named.has(`${source}/${model}`);
    named.add(`${source}/${model}`);
    // The same model at another address is a different target: failures and cooldowns of one don't apply to the other.
    return { provider: source, model: isTwin ? `${model} (${credential})` : model, credentials: [credential] };
  });
  return { targets: [PRIMARY, ...entries], warnings, modelFor: ({ credential }) => usable.get(credential) };
}

/** Options for any model. The rest of the caller's `custom_api` (proxy, headers, body) is for its own address only. */
const SAMPLING = ["max_tokens", "temperature", "frequency_penalty", "presence_penalty", "top_p", "top_k"];

/** The caller's request with our id, and with the fallback's address, key and model instead of its own. */
export function configFor(given: Config, id: string, fallback: FallbackModel | undefined): Config {
  const config = copyPlain(given);
  if (fallback === undefined) return { ...config, generation_id: id };
  // An allowlist, and the key is replaced even by an empty one: a key, in any header, must never go to another address.
  const own = Object.entries(config.custom_api ?? {}).filter(([name]) => SAMPLING.includes(name));
  const { apiurl, key, model, source } = fallback;
  return {
    ...config,
    generation_id: id,
    custom_api: { ...Object.fromEntries(own), apiurl: apiurl.trim(), key, model: model.trim(), source },
  };
}
