/** A `fetch` that gets through rate limits, overloads, broken streams and exhausted keys: for any SDK, and for plain code. */
export type { WireFormat } from "../../formats/index.ts";
export type { Health, Listener, Policy, PolicyInput, Ports, Receipt } from "../../kernel/index.ts";
export { SecondwindError } from "../../library/secondwind-error.ts";
export type { EngineOptions } from "../../library/setup.ts";
export type { FallbackEndpoint, FetchOptions } from "./options.ts";
export { receiptOf } from "./receipted.ts";
export { type ResilientFetch, resilientFetch } from "./resilient-fetch.ts";
