import { InvalidInput, type Policy } from "../kernel/index.ts";
import { type ResilientOptions, resilient } from "../library/resilient.ts";
import { backgroundPolicy } from "../presets/index.ts";
import type { EmbedRequest, Provider } from "./provider.ts";

export interface EmbedOptions extends Pick<ResilientOptions, "health" | "on" | "ports"> {
  readonly signal?: AbortSignal | undefined;
  /** Ids of the credentials that may be used, in order of preference. Default: the provider's first. */
  readonly credentials?: readonly string[];
  /** Default: `backgroundPolicy()`. */
  readonly policy?: Policy;
}

type Vectors = readonly (readonly number[])[];

/** Google takes no more in one call; the others take more. */
const MOST_TEXTS = 100;

/**
 * One vector for each text, carried through failures by the background policy (C6). Another key may be tried, another model
 * never: its vectors would lie in another space. Throws as the library does: the provider's error, or a `SecondwindError`.
 */
export async function embedTexts(
  provider: Provider,
  request: Omit<EmbedRequest, "credential">,
  options: EmbedOptions = {},
): Promise<Vectors> {
  const { signal, credentials, policy = backgroundPolicy(), ...engine } = options;
  const { model, texts } = request;
  if (provider.embed === undefined) throw new InvalidInput("provider", provider.name, "one that has embeddings");
  const entry = { provider: provider.name, model, ...(credentials !== undefined && { credentials }) };
  const embed = resilient(
    async (context, batch: readonly string[]): Promise<Vectors> =>
      (await provider.embed?.({ model, credential: context.target.credential, texts: batch }, context.signal)) ?? [],
    policy,
    { ...engine, targets: [entry] },
  ).with(signal === undefined ? {} : { signal });
  const vectors: (readonly number[])[] = [];
  for (let from = 0; from < texts.length; from += MOST_TEXTS) {
    vectors.push(...(await embed(texts.slice(from, from + MOST_TEXTS))));
  }
  return vectors;
}
