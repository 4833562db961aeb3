import { Attempt, type AttemptOwner, NOT_ASKED } from "./attempt/attempt.ts";
import { checkContent } from "./attempt/check-content.ts";
import { classify, engineFailure } from "./classify/index.ts";
import { decide, isCarried } from "./decide/decide.ts";
import { decideBlocked } from "./decide/decide-blocked.ts";
import { coolDown } from "./enact/cool-down.ts";
import { Trail } from "./enact/trail.ts";
import { GenerationState, NO_TARGET, type Outcome } from "./generation-state.ts";
import type { Health } from "./health/health.ts";
import type { Decision } from "./model/decision.ts";
import type { GenerationEvent, GenerationHandle } from "./model/event.ts";
import type { Failure } from "./model/failure.ts";
import type { ContentRequirement, Policy } from "./model/policy.ts";
import type { Abortable, ContentVerdict, Ports, Sleeper } from "./model/ports.ts";
import type { Target } from "./model/target.ts";

/** Whether health is asked for leave to attempt, or a person has given it. */
type Leave = "asked" | "given";
type WaitEnd = Extract<GenerationEvent, { type: "wait-end" }>["ended"];

const BREAKER_OPEN = "API unavailable (circuit breaker triggered)";
const COOLING_DOWN = "The target is cooling down after an earlier limit";
/** Every so many attempts without a delay the event loop gets its turn. */
const BREATH = 32;

/**
 * The loop: attempt → outcome → classify → decide → enact → attempt, until it finishes. It exists once, here.
 *
 * It is written as an object that is called back, not as an async function: a generation that sleeps is then one small
 * object in the clock's heap, and an abort can end it at once, whatever it is waiting for.
 */
export abstract class Generation extends GenerationState implements GenerationHandle, AttemptOwner, Sleeper, Abortable {
  // What kinds of generation differ in.

  /** Makes the call; its outcome comes back through `finishAttempt` or `fail`, never before this has returned. */
  protected abstract launch(attempt: Attempt): void;
  /** Another attempt follows: take back what was given out. */
  protected abstract discard(failure: Failure): void;
  /** The text of the answer; undefined: it has none that could be looked at. May throw: it calls the caller's function. */
  protected abstract answerText(): string | undefined;
  /** The attempt was given up: let go of what it holds. */
  protected abstract letGo(attempt: Attempt): void;
  /** The generation has ended: tell the caller. */
  protected abstract settle(): void;

  get ports(): Ports {
    return this.setup.ports;
  }

  get policy(): Policy {
    return this.setup.policy.policy;
  }

  retryNow(): boolean {
    if (!this.isWaiting) return false;
    this.setup.ports.rouse(this);
    this.endWait("retry-now");
    return true;
  }

  giveUp(): boolean {
    return this.endEarly("gave-up", "Given up by hand", undefined);
  }

  onAbort(reason: unknown): void {
    this.endEarly("aborted", "Aborted", reason);
  }

  // The loop.

  start(): void {
    const { ports } = this.setup;
    const isExact = this.setup.isTimed || this.setup.listener !== undefined;
    this.clockMs = isExact ? ports.now() : ports.roughNow();
    const { signal } = this;
    if (signal !== undefined) {
      if (signal.aborted) return this.onAbort(ports.reasonOf(signal));
      ports.onAbort(signal, this);
    }
    this.begin("asked");
  }

  /** One attempt, if health lets it through, or a person does. */
  private begin(leave: Leave): void {
    const { setup } = this;
    const { health, policy } = setup;
    const target = this.target();
    if (target === NO_TARGET) return this.endWithoutTarget();
    let askedAtMs = NOT_ASKED;
    if (health !== undefined && !health.isQuiet) {
      // A whole millisecond: a fraction would cost every attempt an object of its own.
      askedAtMs = Math.ceil(setup.ports.now());
      if (this.isHeldBack(health, leave, askedAtMs)) return;
    }
    const attempt = new Attempt(this, ++this.attempts, target);
    attempt.admittedAtMs = askedAtMs;
    this.state = "attempting";
    this.current = attempt;
    if (this.trail !== undefined) this.trail.triesHere++;
    if (setup.listener !== undefined && !this.announce(attempt)) return;
    const { firstContentMs } = policy.policy.watchdog;
    if (firstContentMs !== null) this.watch(attempt, firstContentMs);
    this.launch(attempt);
  }

  /** False: a listener has ended everything meanwhile. */
  private announce(attempt: Attempt): boolean {
    this.emit({ type: "attempt-start", attempt: attempt.attempt, target: attempt.target });
    return this.current === attempt;
  }

  /** A clock that fails costs the watchdog, not the call. */
  private watch(attempt: Attempt, limitMs: number): void {
    try {
      this.setup.ports.watch(attempt, limitMs);
    } catch (fault) {
      this.setup.ports.reportFault(fault, "watchdog");
    }
  }

  /** Looks at breaker and cooldowns. True: the generation waits, moves or has ended instead of attempting now. */
  private isHeldBack(health: Health, leave: Leave, nowMs: number): boolean {
    const { policy } = this.setup;
    const target = this.target();
    const waitMs = health.admit(target, policy.policy, nowMs);
    // A person's word counts for more, and a generation that is not carried is none of our business.
    if (waitMs === 0 || leave === "given" || !isCarried(policy, this.givenId)) return false;
    const trail = this.remember();
    trail.failure ??= this.whyHeldBack(health, target, nowMs);
    const { failure } = trail;
    this.enact(decideBlocked(this.situation(nowMs, failure), waitMs), failure);
    return true;
  }

  private whyHeldBack(health: Health, target: Target, nowMs: number): Failure {
    const coolingMs = health.blockedForMs(target, null, nowMs);
    if (coolingMs === 0) return engineFailure("overloaded", BREAKER_OPEN, "health:breaker", target);
    return { ...engineFailure("rate_limit", COOLING_DOWN, "health:cooldown", target), hintMs: coolingMs };
  }

  /** The attempt has ended well; whether the answer is good is for the required content to say. */
  protected finishAttempt(attempt: Attempt): void {
    const { ports, policy } = this.setup;
    attempt.close(ports);
    const { require } = policy.policy;
    if (require === null) this.succeed(attempt);
    else this.validate(attempt, require);
  }

  private validate(attempt: Attempt, requirement: ContentRequirement): void {
    const { ports } = this.setup;
    let verdict: ContentVerdict | Promise<ContentVerdict> = "inconclusive";
    try {
      const text = this.answerText();
      if (text !== undefined) verdict = checkContent(text, requirement, ports.checkContent);
    } catch (fault) {
      ports.reportFault(fault, "content-check");
    }
    if (typeof verdict === "string") return this.hearVerdict(attempt, verdict);
    verdict.then(
      (late) => this.hearVerdict(attempt, late),
      (fault) => {
        ports.reportFault(fault, "content-check");
        this.hearVerdict(attempt, "inconclusive");
      },
    );
  }

  private hearVerdict(attempt: Attempt, verdict: ContentVerdict): void {
    if (this.current !== attempt) return;
    if (verdict === "missing") {
      return this.judge(
        attempt,
        engineFailure("invalid_content", "The answer lacks the required content", "content:missing", attempt.target),
      );
    }
    if (verdict === "inconclusive") this.warn("The required content could not be checked; the answer was accepted");
    // The one who was warned may have given up.
    if (!this.isEnded()) this.succeed(attempt);
  }

  /** The attempt has its answer, and the answer is good. */
  private succeed(attempt: Attempt): void {
    const { health, ports, listener } = this.setup;
    this.current = undefined;
    if (health !== undefined && !health.isQuiet) health.succeeded(attempt, ports.now());
    if (listener !== undefined) {
      this.emit({ type: "attempt-end", attempt: attempt.attempt, target: attempt.target, ok: true });
      if (this.isEnded()) return;
    }
    this.end("succeeded");
  }

  /** The attempt came to nothing: an error was thrown or received. */
  protected fail(attempt: Attempt, problem: unknown): void {
    // What an attempt that was given up still says does not count; only that it has settled.
    if (attempt.cancelledFor !== undefined) return this.judge(attempt, attempt.cancelledFor);
    const { policy, ports } = this.setup;
    const failure = classify(problem, {
      target: attempt.target,
      provider: attempt.target.provider,
      wallNowMs: ports.wallNow(),
      rules: policy.policy.classify,
    });
    this.judge(attempt, failure);
  }

  expired(attempt: Attempt, kind: "silent" | "stalled"): void {
    if (this.current !== attempt) return;
    // The grace is over: the attempt does not settle, so it is not waited for any longer.
    if (attempt.cancelledFor !== undefined) return this.judge(attempt, attempt.cancelledFor);
    const { policy, cancelGraceMs, ports } = this.setup;
    const { firstContentMs, idleMs } = policy.policy.watchdog;
    const message = kind === "silent" ? `No content within ${firstContentMs} ms` : `No new content for ${idleMs} ms`;
    attempt.cancel({ ...engineFailure(kind, message, `watchdog:${kind}`, attempt.target), cause: new Error(message) });
    this.letGo(attempt);
    if (cancelGraceMs > 0) ports.watch(attempt, cancelGraceMs);
    else this.fail(attempt, undefined);
  }

  /** classify is done; decide and enact. A fault of ours in here must not hide the provider's own error. */
  protected judge(attempt: Attempt, failure: Failure): void {
    if (this.current !== attempt) return;
    this.current = undefined;
    const { health, ports, listener } = this.setup;
    attempt.close(ports);
    this.trail ??= new Trail(1);
    this.trail.noteFailure(failure, attempt.attempt);
    try {
      const nowMs = ports.now();
      health?.failed(attempt, failure, nowMs);
      if (listener !== undefined) {
        this.emit({ type: "attempt-end", attempt: attempt.attempt, target: attempt.target, ok: false, failure });
        if (this.isEnded()) return;
      }
      const decision = decide(this.situation(nowMs, failure));
      this.prepareRetry(attempt, failure, decision, nowMs);
      // Taking content back calls the consumer, who may have ended everything.
      if (!this.isEnded()) this.enact(decision, failure);
    } catch (fault) {
      this.endFaulty(fault);
    }
  }

  /** A fault of our own: the caller gets the provider's error, the fault is reported. */
  private endFaulty(fault: unknown): void {
    this.setup.ports.reportFault(fault, "engine");
    if (!this.isEnded()) this.end("engine-fault");
  }

  private enact(decision: Decision, failure: Failure): void {
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

  private endWait(ended: WaitEnd): void {
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

  /** What every further attempt brings with it: the failing target cools down, a token is spent, the partial answer goes. */
  private prepareRetry(attempt: Attempt, failure: Failure, decision: Decision, nowMs: number): void {
    if (!("to" in decision)) return;
    const { health, policy, chain } = this.setup;
    if (health !== undefined) {
      if (policy.policy.budget !== null) {
        health.spendRetry(chain.targets[decision.to] ?? attempt.target, policy.policy);
      }
      coolDown({ health, target: attempt.target, failure, policy: policy.policy, decision, nowMs });
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

  private endWithoutTarget(): void {
    const why = this.setup.chain.warnings.join("; ");
    this.trail = new Trail(0);
    this.trail.failure = engineFailure(
      "not_found",
      why === "" ? "No target was given" : `No usable target: ${why}`,
      "engine:no-target",
    );
    this.end("no-target");
  }

  /** The caller, a person or a signal ends it. False: it had ended already. */
  protected endEarly(reason: "aborted" | "gave-up", message: string, cause: unknown): boolean {
    if (this.isEnded()) return false;
    const { ports, health } = this.setup;
    const { current } = this;
    const failure: Failure = { ...engineFailure("aborted", message, `engine:${reason}`, this.target()), cause };
    if (this.isWaiting) {
      ports.rouse(this);
      this.endWait(reason);
      if (this.isEnded()) return true;
    }
    const trail = this.remember();
    // Whoever gives up wants to know what it was that they gave up on.
    if (reason === "aborted" || trail.failure === undefined) trail.failure = failure;
    if (current !== undefined) {
      this.current = undefined;
      health?.released(current, ports.now());
      current.cancel(failure);
      this.letGo(current);
    }
    this.end(reason);
    return true;
  }

  /** Whatever fails on the way out, the caller is told. */
  private end(outcome: Outcome): void {
    // A listener of the attempt's signal may have ended it while it was being ended.
    if (this.isEnded()) return;
    this.state = outcome;
    const { listener, isTimed } = this.setup;
    // A good call that nobody watches or times has nothing to close: no clock is read for it.
    const isPlain = outcome === "succeeded" && this.signal === undefined && listener === undefined && !isTimed;
    if (!isPlain) this.close();
    this.settle();
  }

  private close(): void {
    const { ports, listener } = this.setup;
    try {
      if (this.signal !== undefined) ports.offAbort(this.signal, this);
      this.clockMs = Math.max(0, ports.now() - this.clockMs);
      if (listener !== undefined) this.announceEnd();
    } catch (fault) {
      ports.reportFault(fault, "engine");
    }
  }

  private announceEnd(): void {
    const { failure } = this;
    this.emit({ type: "generation-end", receipt: this.receipt, ...(failure !== undefined && { failure }) });
  }

  protected warn(message: string): void {
    this.trail ??= new Trail(1);
    this.trail.warn(message);
    if (this.setup.listener !== undefined) this.emit({ type: "warning", message });
  }
}
