import type { Failure } from "../model/failure.ts";
import type { Policy } from "../model/policy.ts";
import type { AbortHandle, Ports, Watched } from "../model/ports.ts";
import type { Target } from "../model/target.ts";
import type { Reading } from "./reading.ts";

/** What the caller's function receives for the attempt it makes. Every field can be destructured. */
export interface AttemptContext {
  /** 1-based: the first call is attempt 1. */
  readonly attempt: number;
  readonly target: Target;
  readonly generationId: string;
  /** Aborts when the attempt is given up. Made when first asked for: calls that ignore it pay nothing. */
  readonly signal: AbortSignal;
  /**
   * For calls whose progress the engine can't see: the model is alive. From the first call on the idle limit counts
   * instead of the limit for the whole call.
   */
  readonly progress: () => void;
}

/** What an attempt reports to. */
export interface AttemptOwner {
  readonly id: string;
  readonly ports: Ports;
  readonly policy: Policy;
  expired(attempt: Attempt, kind: "silent" | "stalled"): void;
}

/** Health had nothing to report, so it was not asked for permission. */
export const NOT_ASKED = -1;

/** Nothing heard yet, something heard, or its outcome known. */
type Phase = "silent" | "alive" | "over";

/** One call to one target, and the watch over it. */
export class Attempt implements AttemptContext, Watched {
  readonly attempt: number;
  readonly target: Target;
  dueAt = 0;
  place = -1;
  /** When health was asked; -1: it was quiet then and was not asked. */
  admittedAtMs = NOT_ASKED;
  /** Set when the engine has given the attempt up; its later outcome does not count. */
  cancelledFor: Failure | undefined = undefined;
  private readonly owner: AttemptOwner;
  private handle: AbortHandle | undefined = undefined;
  private phase: Phase = "silent";
  isPaused = false;
  /** While the reader pauses: what is left of the limit, if that matters. */
  private leftMs = 0;

  constructor(owner: AttemptOwner, attempt: number, target: Target) {
    this.owner = owner;
    this.attempt = attempt;
    this.target = target;
  }

  get generationId(): string {
    return this.owner.id;
  }

  /** For health, which is told what became of the attempt. */
  get policy(): Policy {
    return this.owner.policy;
  }

  get signal(): AbortSignal {
    if (this.handle === undefined) {
      this.handle = this.owner.ports.newAbort();
      if (this.cancelledFor !== undefined) this.handle.abort(this.cancelledFor.cause);
    }
    return this.handle.signal;
  }

  /** A clock that fails costs the watchdog, not the call. */
  watch(limitMs: number): void {
    const { ports } = this.owner;
    try {
      ports.watch(this, limitMs);
    } catch (fault) {
      ports.reportFault(fault, "watchdog");
    }
  }

  /** Bound when asked for, so that it can be destructured and calls that ignore it pay nothing. */
  get progress(): () => void {
    return () => this.noteProgress();
  }

  noteProgress(): void {
    const { ports, policy } = this.owner;
    if (this.phase === "over" || this.cancelledFor !== undefined) return;
    this.phase = "alive";
    if (policy.watchdog.idleMs !== null) ports.watch(this, policy.watchdog.idleMs);
    else ports.unwatch(this);
  }

  /**
   * The reader does not ask for more: a slow reader is not a stalled stream. After a sign of life the whole limit starts
   * again when the reader returns, so there is nothing to do now; otherwise the rest of the limit is saved.
   */
  pause(last: Reading): void {
    if (this.phase === "over" || this.cancelledFor !== undefined) return;
    this.isPaused = true;
    this.leftMs = last === "noise" ? this.owner.ports.unwatch(this) : 0;
  }

  /** The same after content that was not the first. */
  rest(): void {
    this.isPaused = true;
    this.leftMs = 0;
  }

  resume(): void {
    if (!this.isPaused) return;
    this.isPaused = false;
    const { ports, policy } = this.owner;
    const { idleMs } = policy.watchdog;
    if (this.leftMs > 0) ports.watch(this, this.leftMs);
    else if (this.phase === "alive" && idleMs !== null) ports.watch(this, idleMs);
  }

  expire(): void {
    if (!this.isPaused) this.owner.expired(this, this.phase === "alive" ? "stalled" : "silent");
  }

  /** It has its outcome: it is no longer watched, even if it still produces items. */
  close(ports: Ports): void {
    this.phase = "over";
    ports.unwatch(this);
  }

  /** It has its outcome, but still holds a connection: its signal aborts, and what it throws then does not count. */
  abandon(): void {
    this.handle?.abort(undefined);
  }

  /** What its signal was aborted with; undefined if nobody has asked for the signal. */
  get abortReason(): unknown {
    return this.handle === undefined ? undefined : this.owner.ports.reasonOf(this.handle.signal);
  }

  /** Gives the attempt up: its signal aborts, so that the socket really closes. */
  cancel(failure: Failure): void {
    this.owner.ports.unwatch(this);
    if (this.cancelledFor !== undefined) return;
    this.cancelledFor = failure;
    this.handle?.abort(failure.cause);
  }
}
