export { collectPart, collectParts } from "./collect-parts.ts";
export { eventText, inspect } from "./inspect.ts";
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
export { simulatedProvider } from "./simulated-provider.ts";
