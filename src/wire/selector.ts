import { InvalidInput } from "../kernel/index.ts";

// Apart from the schemas: what only looks at a selector need not load them.

/** `provider/model`, the way people name a model. The model's own name may have slashes in it. */
export const SELECTOR = /^([^/\s]+)\/(\S+)$/;

export interface Selector {
  readonly provider: string;
  readonly model: string;
}

/** Undefined: the text is not a selector. */
export function parseSelector(text: string): Selector | undefined {
  const [, provider, model] = SELECTOR.exec(text) ?? [];
  return provider === undefined || model === undefined ? undefined : { provider, model };
}

/** The model that was asked for. Its provider has to be among the known ones, if those are given. Throws `InvalidInput`. */
export function checkSelector(field: string, text: string, providers?: ReadonlyMap<string, unknown>): Selector {
  const selector = parseSelector(text);
  if (selector === undefined) throw new InvalidInput(field, text, "provider/model");
  if (providers === undefined || providers.has(selector.provider)) return selector;
  throw new InvalidInput(field, text, `of a known provider (${[...providers.keys()].join(", ")})`);
}

export function selectorOf({ provider, model }: Selector): string {
  return `${provider}/${model}`;
}
