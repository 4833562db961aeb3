// The subpath `secondwind/providers`: the models that the environment and the key file have keys for.
export type { Credential, HeldBack, KeyWish, NamedSecret, Redactor, Secret, Vault } from "../credentials/index.ts";
export type {
  Health,
  Listener,
  Ports,
  PreparedPolicy,
  ResponseHead,
  Resumption,
  SavedGeneration,
  StreamGeneration,
  Target,
  TargetEntry,
} from "../kernel/index.ts";
export type { SingleFault } from "../simulator/http/behaviour/single-faults.ts";
export type { ScenarioBehaviour, ScenarioInput, SimulatorOptions, WEATHERS, Weather } from "../simulator/http/index.ts";
export type {
  AssistantMessage,
  AssistantPart,
  Message,
  ToolCallPart,
  ToolMessage,
  Usage,
  UserMessage,
} from "../wire/message.ts";
export type { Endpoint, Speech } from "./endpoint.ts";
export type { OnHead } from "./line/one-call.ts";
export { type ModelCallInput, type ModelEvent, openModelCall } from "./open-model-call.ts";
export { type OpenOptions, openProviders, type Providers } from "./open-providers.ts";
export type {
  EmbedRequest,
  FinishReason,
  Provider,
  ProviderError,
  ProviderEvent,
  ProviderRequest,
  Sampling,
  ToolSpec,
} from "./provider.ts";
export type { Environment } from "./read-endpoints.ts";
export type { SimulatorHandle, WeatherChange, WeatherState } from "./simulator-handle.ts";
