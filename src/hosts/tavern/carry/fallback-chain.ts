import type { Target, TargetEntry } from "../../../kernel/index.ts";
import { type FallbackModel, fallbackModelSchema, type Settings } from "../settings/schema.ts";
import { copyPlain } from "./copy-plain.ts";

export type Config = Readonly<Record<string, unknown>>;

/** The chain of a generation: whatever the caller asked for, then the fallback models that can be used. */
export interface FallbackChain {
  readonly targets: readonly TargetEntry[];
  /** Why entries were left out, for the log. */
  readonly warnings: readonly string[];
  modelFor(target: Target): FallbackModel | undefined;
}

/** The first target is not ours to name: the host knows what it is connected to. */
const PRIMARY: TargetEntry = { provider: "", model: "primary" };

export function fallbackChain({ fallbackModelsEnabled, fallbackModels }: Settings): FallbackChain {
  const listed = fallbackModelsEnabled ? fallbackModels : [];
  const usable = new Map<string, FallbackModel>();
  const warnings: string[] = [];
  listed.forEach((entry, index) => {
    const parsed = fallbackModelSchema.safeParse(entry);
    // The place in the list is the credential's id: two entries may differ in nothing but address and key.
    if (parsed.success) usable.set(String(index + 1), parsed.data);
    else
      warnings.push(
        `Fallback model ${index + 1} is skipped: ${parsed.error.issues.map((issue) => issue.message).join(", ")}`,
      );
  });
  const named = new Set<string>();
  const entries = [...usable].map(([credential, { source, model }]) => {
    const isTwin = named.has(`${source}/${model}`);
    named.add(`${source}/${model}`);
    // The same model at another address is another model: what one says of it, or how it rests, does not hold for the other.
    return { provider: source, model: isTwin ? `${model} (${credential})` : model, credentials: [credential] };
  });
  return { targets: [PRIMARY, ...entries], warnings, modelFor: ({ credential }) => usable.get(credential) };
}

/** What a caller asks of any model. The rest of its `custom_api` (proxy, headers, body) is meant for its own address. */
const SAMPLING = ["max_tokens", "temperature", "frequency_penalty", "presence_penalty", "top_p", "top_k"];

/** The caller's request for one attempt: with our id, and with the fallback's address, key and model in place of its own. */
export function configFor(given: Config, id: string, fallback: FallbackModel | undefined): Config {
  const config = copyPlain(given);
  if (fallback === undefined) return { ...config, generation_id: id };
  // Named one by one, and the key replaced even by none: a key, in whatever header it may be, must never go to an address
  // that it does not belong to.
  const own = Object.entries(config.custom_api ?? {}).filter(([name]) => SAMPLING.includes(name));
  const { apiurl, key, model, source } = fallback;
  return {
    ...config,
    generation_id: id,
    custom_api: { ...Object.fromEntries(own), apiurl: apiurl.trim(), key, model: model.trim(), source },
  };
}
