import type { MemoryHealth } from "../health/memory-health.ts";
import type { Target } from "../model/target.ts";
import type { SharedName } from "./message.ts";

export interface ExchangeOptions {
  readonly health: MemoryHealth;
  /** A new one for each life of a process. */
  readonly id: string;
  readonly now: () => number;
  /** 0 to 1, another one in each process: those who are held back in several of them must not ask at the same moments. */
  readonly phase: number;
  /** Names that mean the same in every process, and contain no secret. */
  readonly nameOf: (target: Target) => SharedName;
}
