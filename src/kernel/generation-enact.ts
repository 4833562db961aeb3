import type { Attempt } from "./attempt/attempt.ts";
import { coolDown } from "./enact/cool-down.ts";
import { isRefusal, refusedPlaces } from "./enact/refusal.ts";
import { GenerationState, type Outcome } from "./generation-state.ts";
import type { Decision } from "./model/decision.ts";
import type { GenerationEvent } from "./model/event.ts";
import type { Failure } from "./model/failure.ts";
import type { Sleeper } from "./model/ports.ts";

/** Whether health is asked for leave to attempt, or a person has given it. */
export type Leave = "asked" | "given";
type WaitEnd = Extract<GenerationEvent, { type: "wait-end" }>["ended"];

/** Every so many attempts without a delay the event loop gets its turn. */
const BREATH = 32;

/** How a decision is carried out: the waits and the moves between two attempts. The loop says what comes next. */
export abstract class EnactingGeneration extends GenerationState implements Sleeper {
  /** One attempt, if health lets it through, or a person does. */
  protected abstract begin(leave: Leave): void;
  protected abstract end(outcome: Outcome): void;
  /** A fault of our own: the caller gets the provider's error, the fault is reported. */
  protected abstract endFaulty(fault: unknown): void;
  /** Another attempt follows: take back what was given out. */
  protected abstract discard(failure: Failure): void;

  retryNow(): boolean {
    if (!this.isWaiting) return false;
    this.setup.ports.rouse(this);
    this.endWait("retry-now");
    return true;
  }

  protected enact(decision: Decision, failure: Failure): void {
    switch (decision.type) {
      case "stop":
        return this.end(decision.reason);
      case "hand-over":
        return this.end("hand-over");
      case "wait":
        return this.wait(decision, failure);
      case "rotate":
      case "switch":
        return this.move(decision);
      default:
        decision satisfies never;
    }
  }

  private wait(decision: Extract<Decision, { type: "wait" }>, failure: Failure): void {
    const { ports, policy, listener } = this.setup;
    const { delayMs, schedule, to } = decision;
    const trail = this.remember();
    if (schedule >= 0) trail.useUp(schedule, delayMs);
    else trail.noteBlocked(delayMs);
    trail.waitTo = to;
    trail.waitMs = delayMs;
    this.state = "waiting";
    if (listener !== undefined) {
      // The listener may end the wait before it is slept: then it is to be told from here.
      this.wakeAtMs = Math.ceil(ports.now() + delayMs);
      this.emit({
        type: "wait-start",
        attempt: this.attempts,
        retry: trail.used()[schedule] ?? trail.blockedWaits,
        maxRetries: policy.schedules[schedule]?.maxRetries ?? null,
        schedule: policy.scheduleNames[schedule] ?? "",
        delayMs,
        until: ports.wallNow() + delayMs,
        failure,
        because: decision.because,
      });
      // The listener may have ended the wait, or everything.
      if (!this.isWaiting) return;
    }
    // No timer for no delay: a switch costs microseconds, not a millisecond. But a call that fails at once for ever must
    // let others have their turn.
    if (delayMs === 0 && this.attempts % BREATH !== 0) this.endWait("elapsed");
    else ports.sleep(this, delayMs);
  }

  wake(): void {
    try {
      this.endWait("elapsed");
    } catch (fault) {
      this.endFaulty(fault);
    }
  }

  protected endWait(ended: WaitEnd): void {
    const { trail } = this;
    if (trail === undefined) return;
    const { ports, listener } = this.setup;
    const isWhole = ended === "elapsed" || trail.waitMs === 0;
    const waitedMs = isWhole ? trail.waitMs : Math.max(0, trail.waitMs - Math.max(0, this.wakeAtMs - ports.now()));
    trail.noteWait(waitedMs);
    this.state = "ready";
    if (listener !== undefined) {
      this.emit({ type: "wait-end", attempt: this.attempts, waitedMs, ended });
      if (this.isEnded()) return;
    }
    if (ended === "aborted" || ended === "gave-up") return;
    if (trail.waitTo !== this.position) {
      this.goTo(trail.waitTo, trail.waitTo < this.position ? "revert" : "switch", "its cooldown is over");
    }
    if (!this.isEnded()) this.begin(ended === "retry-now" ? "given" : "asked");
  }

  private move(decision: Extract<Decision, { type: "rotate" | "switch" }>): void {
    const trail = this.remember();
    const { fallback } = this.setup.policy.policy;
    // Going round a target that is cooling down before the first call is no retry.
    if (fallback.movesCount && this.attempts > 0) trail.useUp(decision.schedule, 0);
    trail.noteMove(this.position);
    this.goTo(decision.to, decision.type, decision.because);
    if (!this.isEnded()) this.begin("asked");
  }

  /** What others learn from a failure, and what a further attempt brings with it: a token is spent, the partial answer goes. */
  protected prepareRetry(attempt: Attempt, failure: Failure, decision: Decision, nowMs: number): void {
    const { health, policy, chain } = this.setup;
    const { position } = this;
    if (health !== undefined) {
      const hasOthers = chain.targets.length > 1;
      const { target } = attempt;
      coolDown({ health, target, position, hasOthers, failure, policy: policy.policy, decision, nowMs });
    }
    if (!("to" in decision)) return;
    if (health !== undefined && policy.policy.budget !== null) {
      health.spendRetry(chain.targets[decision.to] ?? attempt.target, policy.policy);
    }
    if (decision.to !== position && isRefusal(failure)) {
      this.remember().spend(refusedPlaces(chain.entryOf, position, failure.scope));
    }
    this.discard(failure);
  }

  private goTo(to: number, how: "rotate" | "switch" | "revert", because: string): void {
    const { chain, policy, listener } = this.setup;
    const from = this.target();
    const { trail } = this;
    if (chain.entryOf[to] !== chain.entryOf[this.position] && policy.policy.fallback.when === "after-retries") {
      trail?.leaveEntry(chain.entryOf, this.position);
    }
    this.position = to;
    if (listener !== undefined) {
      const failure = trail?.failure;
      this.emit({
        type: "target-switch",
        attempt: this.attempts,
        from,
        to: this.target(),
        how,
        because,
        ...(failure !== undefined && { failure }),
      });
    }
  }
}
