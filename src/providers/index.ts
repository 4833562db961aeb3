export { CATALOGUE } from "./catalogue.ts";
export { embedTexts } from "./embed-texts.ts";
export { originOf } from "./endpoint.ts";
export { inspectEvent } from "./inspect-event.ts";
export { type ModelEvent, openModelCall } from "./open-model-call.ts";
export { type OpenOptions, openProviders, type Providers } from "./open-providers.ts";
export { ProviderProblem } from "./provider-problem.ts";
export { readEndpoints } from "./read-endpoints.ts";
export { SIMULATED, simulatedProvider } from "./simulated-provider.ts";
