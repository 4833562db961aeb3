import { InvalidInput, type Target } from "../kernel/index.ts";
import { selectorSchema } from "../wire/index.ts";

/** `provider/model` in its parts. The model's own name may have slashes in it. */
export function splitSelector(selector: string): { readonly provider: string; readonly model: string } {
  if (!isSelector(selector)) throw new InvalidInput("model", selector, "provider/model");
  const slash = selector.indexOf("/");
  return { provider: selector.slice(0, slash), model: selector.slice(slash + 1) };
}

/** A model that somebody asks for: its provider has to be there. */
export function checkModel(selector: string, providers: ReadonlyMap<string, unknown>): void {
  const { provider } = splitSelector(selector);
  if (providers.has(provider)) return;
  throw new InvalidInput("model", selector, `of a known provider (${[...providers.keys()].join(", ")})`);
}

export function isSelector(text: string): boolean {
  return selectorSchema.safeParse(text).success;
}

export function selectorOf({ provider, model }: Target): string {
  return `${provider}/${model}`;
}
