import type { Attempt } from "./attempt/attempt.ts";
import type { Chain } from "./decide/chain.ts";
import type { PreparedPolicy } from "./decide/prepare-policy.ts";
import type { Situation, Standing } from "./decide/situation.ts";
import { Trail } from "./enact/trail.ts";
import { receiptOf } from "./finish/receipt.ts";
import type { Health, HealthView } from "./health/health.ts";
import type { StopReason } from "./model/decision.ts";
import type { GenerationEvent, GenerationHandle, Listener } from "./model/event.ts";
import type { Failure } from "./model/failure.ts";
import type { Ports } from "./model/ports.ts";
import type { Receipt } from "./model/receipt.ts";
import type { Target } from "./model/target.ts";

/** What generations of one kind share. Made once, used by any number of them. */
export interface Setup {
  readonly policy: PreparedPolicy;
  readonly ports: Ports;
  readonly chain: Chain;
  /** Left out where there is nothing to remember: one target, no breaker, no budget. */
  readonly health: Health | undefined;
  readonly listener: Listener | undefined;
  /** How long a cancelled attempt may take to settle before the next one starts. 0: it is not waited for. */
  readonly cancelGraceMs: number;
  /** Whether anyone will ask how long a good call took: reading the clock is a large part of what it costs. */
  readonly isTimed: boolean;
}

type Phase = "ready" | "attempting" | "waiting";
export type Outcome = "succeeded" | StopReason;
export type EventBody = GenerationEvent extends infer E
  ? E extends GenerationEvent
    ? Omit<E, "generationId" | "at">
    : never
  : never;

export const NO_TARGET: Target = Object.freeze({ provider: "", model: "", credential: "" });
const NO_HEALTH: HealthView = { blockedForMs: () => 0, canRetry: () => true };

/** What a generation is and knows at any moment, and how it tells of it. What it does next is for the loop to say. */
export abstract class GenerationState implements GenerationHandle {
  readonly setup: Setup;
  wakeAtMs = 0;
  slot = -1;
  /** What it is doing, or how it has ended. */
  protected state: Phase | Outcome = "ready";
  protected current: Attempt | undefined = undefined;
  protected trail: Trail | undefined = undefined;
  protected readonly signal: AbortSignal | undefined;
  protected readonly givenId: string;
  private madeId = "";
  protected attempts = 0;
  protected position = 0;
  /** When it started; once it has ended, how long it took. */
  protected clockMs = 0;

  constructor(setup: Setup, signal: AbortSignal | undefined, id: string) {
    this.setup = setup;
    this.signal = signal;
    this.givenId = id;
  }

  /** Whether nothing was given out, or all of it can be taken back. */
  protected abstract canReplay(): boolean;
  /** Whether content of the last attempt was given out. */
  protected abstract hasDelivered(): boolean;
  abstract retryNow(): boolean;
  abstract giveUp(): boolean;

  get id(): string {
    if (this.givenId !== "") return this.givenId;
    if (this.madeId === "") this.madeId = this.setup.ports.newId();
    return this.madeId;
  }

  get isWaiting(): boolean {
    return this.state === "waiting";
  }

  get attemptsMade(): number {
    return this.attempts;
  }

  get ok(): boolean {
    return this.state === "succeeded";
  }

  get reason(): StopReason | undefined {
    const outcome = this.outcome();
    return outcome === "succeeded" ? undefined : outcome;
  }

  get failure(): Failure | undefined {
    return this.ok ? undefined : this.trail?.failure;
  }

  get receipt(): Receipt {
    const { trail } = this;
    return receiptOf({
      generationId: this.id,
      outcome: this.outcome() ?? "running",
      hasDelivered: this.hasDelivered(),
      attempts: this.attempts,
      elapsedMs: this.isEnded() ? this.clockMs : Math.max(0, this.setup.ports.now() - this.clockMs),
      target: this.target(),
      trail,
      chainWarnings: this.setup.chain.warnings,
    });
  }

  protected isEnded(): boolean {
    return this.state !== "ready" && this.state !== "attempting" && this.state !== "waiting";
  }

  private outcome(): Outcome | undefined {
    const { state } = this;
    return state === "ready" || state === "attempting" || state === "waiting" ? undefined : state;
  }

  protected target(): Target {
    return this.setup.chain.targets[this.position] ?? NO_TARGET;
  }

  /** The trail, made when there is something to remember. */
  protected remember(): Trail {
    this.trail ??= new Trail(0);
    return this.trail;
  }

  protected emit(body: EventBody): void {
    const { listener, ports } = this.setup;
    try {
      listener?.({ ...body, generationId: this.id, at: ports.wallNow() } as GenerationEvent, this);
    } catch (fault) {
      ports.reportFault(fault, "listener");
    }
  }

  protected situation(nowMs: number, failure: Failure): Situation {
    const { policy, chain, health, ports } = this.setup;
    const trail = this.trail ?? new Trail(0);
    const standing: Standing = {
      filterId: this.givenId,
      position: this.position,
      canReplay: this.canReplay(),
      used: trail.used(),
      drawnMs: trail.drawnMs(),
      blockedWaits: trail.blockedWaits,
      blockedMs: trail.blockedMs,
      previousMs: trail.previousMs,
      triesHere: trail.triesHere,
      leftSinceWait: trail.leftSinceWait,
      spent: trail.spent,
      sameErrorRun: trail.sameErrorRun,
    };
    return { policy, chain, standing, health: health ?? NO_HEALTH, nowMs, random: ports.random, failure };
  }
}
