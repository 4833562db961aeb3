import type { Target, TargetEntry } from "../../../kernel/index.ts";
import { type FallbackModel, fallbackModelSchema, type Settings } from "../settings/schema.ts";

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
  const entries = [...usable].map(([credential, { source, model }]) => ({
    provider: source,
    model,
    credentials: [credential],
  }));
  return { targets: [PRIMARY, ...entries], warnings, modelFor: ({ credential }) => usable.get(credential) };
}

/** The caller's request for one attempt: with our id, and with the fallback's address, key and model in place of its own. */
export function configFor(config: Config, id: string, fallback: FallbackModel | undefined): Config {
  if (fallback === undefined) return { ...config, generation_id: id };
  // A proxy preset would overrule the address. The key is always replaced, even by none: a key must never go to an address
  // that it does not belong to.
  const { proxy_preset: _dropped, ...own } = (config.custom_api ?? {}) as Config;
  const { apiurl, key, model, source } = fallback;
  return {
    ...config,
    generation_id: id,
    custom_api: { ...own, apiurl: apiurl.trim(), key, model: model.trim(), source },
  };
}
