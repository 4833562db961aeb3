export { CATALOGUE, type CatalogueEntry } from "./catalogue.ts";
export { type EmbedOptions, embedTexts } from "./embed-texts.ts";
export { type Endpoint, originOf, type Speech } from "./endpoint.ts";
export { inspectEvent } from "./inspect-event.ts";
export { loadVault } from "./load-vault.ts";
export { type ModelCallInput, type ModelEvent, openModelCall } from "./open-model-call.ts";
export { type OpenOptions, openProviders, type Providers } from "./open-providers.ts";
export type {
  EmbedRequest,
  FinishReason,
  Provider,
  ProviderError,
  ProviderEvent,
  ProviderRequest,
  ToolSpec,
} from "./provider.ts";
export { ProviderProblem } from "./provider-problem.ts";
export { type Environment, parseBaseUrl, readEndpoints } from "./read-endpoints.ts";
export { SIMULATED, SIMULATED_CREDENTIALS, simulatedProvider } from "./simulated-provider.ts";
export { verbatimOf } from "./verbatim-of.ts";
