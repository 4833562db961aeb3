/** The configuration alone, without what calls need: for hosts that only show it. */
export { type Endpoint, originOf } from "./endpoint.ts";
export { loadVault } from "./load-vault.ts";
export { parseBaseUrl, readEndpoints } from "./read-endpoints.ts";
