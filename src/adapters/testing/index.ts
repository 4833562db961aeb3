/**
 * For tests of code that retries: simulated providers that fail as a script says, and a clock whose hours pass in milliseconds.
 *
 * ```ts
 * const providers = await simulateProviders({ script: [overloaded(), rateLimited({ retryAfterMs: 2000 }), ok("Hello")] });
 * const client = new OpenAI({ apiKey: "test", baseURL: providers.baseURLs.openai, maxRetries: 0 });
 * ```
 */
export { InvalidInput, type Ports } from "../../kernel/index.ts";
export {
  BEHAVIOUR_NAMES,
  type Fetch,
  type Provider,
  type ReceivedRequest,
  type ScenarioBehaviour as ScriptStep,
  type SimulatorUrls,
  WEATHERS,
  type Weather,
} from "../../simulator/http/index.ts";
export type { Script } from "./play-script.ts";
export { type ProviderOptions, type SimulatedProviders, simulateProviders } from "./simulate-providers.ts";
export {
  always,
  badGateway,
  badRequest,
  connectionReset,
  contextOverflow,
  cutAfter,
  type ErrorDetails,
  echo,
  empty,
  forbidden,
  gatewayTimeout,
  notFound,
  ok,
  overloaded,
  quotaUsedUp,
  rateLimited,
  serverError,
  silent,
  stallAfter,
  times,
  unauthorized,
  unavailable,
} from "./steps.ts";
export { type VirtualTime, type VirtualTimeOptions, type VirtualWait, virtualTime } from "./virtual-time.ts";
