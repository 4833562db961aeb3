export type { FallbackEndpoint, FetchOptions } from "./options.ts";
export { type ResilientFetch, resilientFetch } from "./resilient-fetch.ts";
export { receiptOf } from "./to-response.ts";
