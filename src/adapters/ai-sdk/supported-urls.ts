import type { LanguageModelV3 } from "@ai-sdk/provider";

type Urls = Record<string, RegExp[]>;

/**
 * Addresses that every model of a chain reads by itself. All others are downloaded by the AI SDK before the call, so that a
 * fallback can use what the primary was given.
 */
export function supportedUrls(models: readonly LanguageModelV3[]): PromiseLike<Urls> | Urls {
  const [primary] = models as readonly [LanguageModelV3];
  if (models.length === 1) return primary.supportedUrls;
  return Promise.all(models.map((model) => model.supportedUrls)).then(common);
}

function common(all: readonly Urls[]): Urls {
  const [first = {}, ...others] = all;
  const kept = Object.entries(first).map(([type, patterns]): [string, RegExp[]] => [
    type,
    patterns.filter((pattern) => others.every((urls) => urls[type]?.some((one) => String(one) === String(pattern)))),
  ]);
  return Object.fromEntries(kept.filter(([, patterns]) => patterns.length > 0));
}
