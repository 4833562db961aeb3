import type { Fact } from "./fact.ts";

/** The way to the other processes. */
export interface HealthLink {
  /** `announce` is to be called within so many ms. */
  wake(withinMs: number): void;
  /** Asks for the lease of a probe: of all who ask for the same state of a breaker, one gets it. */
  claim(claim: ProbeClaim, answer: (isGranted: boolean) => void): void;
}

export interface ProbeClaim {
  readonly provider: string;
  readonly stamp: number;
}

export interface Announcement {
  readonly text: string;
  /** To be kept for processes that come later. */
  readonly facts: readonly Fact[];
}
