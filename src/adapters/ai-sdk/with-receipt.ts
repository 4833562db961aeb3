import type { JSONObject, SharedV3ProviderMetadata } from "@ai-sdk/provider";
import type { Receipt } from "../../kernel/index.ts";

/** What carries a receipt to the caller. */
interface Carrier {
  readonly providerMetadata?: SharedV3ProviderMetadata;
}

/** The same result, with the receipt beside what the provider itself has to say. */
export function withReceipt<T extends Carrier>(result: T, receipt: Receipt): T {
  const secondwind = receipt as unknown as JSONObject;
  const { providerMetadata: own } = result;
  // A model below may have left one of its own.
  const providerMetadata = own === undefined ? { secondwind } : Object.assign({ secondwind }, own, { secondwind });
  // Its place comes first: a property that is added to a copy costs several times the copy.
  return Object.assign({ providerMetadata }, result, { providerMetadata });
}

/**
 * The receipt of a call, from the `providerMetadata` of its result. Undefined: the call was not made through Secondwind.
 *
 * ```ts
 * const { text, providerMetadata } = await generateText({ model, prompt });
 * console.log(text, receiptIn(providerMetadata)?.attempts);
 * ```
 */
export function receiptIn(providerMetadata: SharedV3ProviderMetadata | undefined): Receipt | undefined {
  return providerMetadata?.secondwind as unknown as Receipt | undefined;
}
