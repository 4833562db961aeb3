import type { Health, Policy } from "../../kernel/index.ts";

/** A policy in the lab. */
export interface Entrant {
  readonly policy: Policy;
  /** Makes the health of one process. Default: the engine's. */
  readonly newHealth?: () => Health;
}
