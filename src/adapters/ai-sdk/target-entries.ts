import type { TargetEntry } from "../../kernel/index.ts";
import type { Model } from "./check-models.ts";
import { providerName } from "./provider-name.ts";

/**
 * The chain that a list of models makes. Neighbours of the same name are one entry with several credentials: they differ in their
 * keys, and are taken in turn when a usage limit is met. Credentials are numbered by their place among the models of that name,
 * so that a name that comes back later in the list has its own cooldowns.
 */
export function targetEntries(models: readonly Model[]): readonly TargetEntry[] {
  const names = models.map(nameOf);
  const entries: (TargetEntry & { credentials?: string[] })[] = [];
  models.forEach((model, index) => {
    const name = names[index] as string;
    const isOnly = names.indexOf(name) === names.lastIndexOf(name);
    const number = names.slice(0, index + 1).filter((one) => one === name).length;
    const before = entries.at(-1);
    if (before?.credentials !== undefined && names[index - 1] === name) before.credentials.push(String(number));
    else {
      const entry = { provider: providerName(model.provider), model: model.modelId };
      entries.push(isOnly ? entry : { ...entry, credentials: [String(number)] });
    }
  });
  return entries;
}

function nameOf({ provider, modelId }: Model): string {
  return `${providerName(provider)}/${modelId}`;
}
