/** What is configured, without the machinery to call anyone: for hosts that only show it. */
export { type Endpoint, originOf } from "./endpoint.ts";
export { loadVault } from "./load-vault.ts";
export { parseBaseUrl, readEndpoints } from "./read-endpoints.ts";
