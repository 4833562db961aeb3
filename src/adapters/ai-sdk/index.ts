/** Models of the AI SDK that get through rate limits, overloads, broken streams and exhausted keys. */
export type {
  Health,
  Listener,
  Policy,
  PolicyInput,
  Ports,
  Receipt,
} from "../../kernel/index.ts";
export { receiptOf, SecondwindError } from "../../library/secondwind-error.ts";
export type { EngineOptions } from "../../library/setup.ts";
export type { ResilientModelOptions } from "./door.ts";
export { type Resilience, resilience } from "./resilience.ts";
export { type ResilientEmbeddingModel, resilientEmbeddingModel } from "./resilient-embedding-model.ts";
export { type Observed, type ResilientModel, resilientModel } from "./resilient-model.ts";
export { receiptIn } from "./with-receipt.ts";
