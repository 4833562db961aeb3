export type { LinkStatus } from "./redis-link.ts";
export { type ShareOfHealth, shareHealth } from "./share-health.ts";
export { shortHash } from "./shared-names.ts";
