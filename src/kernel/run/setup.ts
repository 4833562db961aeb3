import type { Chain } from "../decide/chain.ts";
import type { PreparedPolicy } from "../decide/prepare-policy.ts";
import type { Health } from "../health/health.ts";
import type { Listener } from "../model/event.ts";
import type { Ports } from "../model/ports.ts";
import type { Resumption, SavedGeneration } from "./saved-generation.ts";

/** What generations of one kind share. Made once, used by any number of them. */
export interface Setup {
  readonly policy: PreparedPolicy;
  readonly ports: Ports;
  readonly chain: Chain;
  /** Undefined where there is nothing to remember: one target, no breaker, no budget. */
  readonly health: Health | undefined;
  readonly listener: Listener | undefined;
  /** How long a cancelled attempt may take to settle before the next one starts. 0: the next one starts at once. */
  readonly cancelGraceMs: number;
  /** Whether a good call is timed exactly: reading the clock is a large part of what such a call costs. */
  readonly isTimed: boolean;
  /** The problem in an answer that came back as an object: the attempt fails with it. Undefined: the answer is good. Never throws. */
  readonly problemIn?: ((answer: object, ports: Ports) => Promise<unknown> | undefined) | undefined;
  /** What the classifier gets for what a call threw or received. Undefined: that itself. Never throws. */
  readonly problemOf?: ((thrown: unknown) => unknown) | undefined;
  /**
   * Asked before each wait. True: the caller keeps `saved`, and this generation is left where it stands, `parked`, with no timer and no
   * end. False: it waits as usual. Must not throw.
   */
  readonly park?: ((saved: SavedGeneration) => boolean) | undefined;
  /** Goes on where a parked generation was left, instead of starting. */
  readonly resume?: Resumption | undefined;
}
