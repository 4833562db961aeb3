import { Attempt, type AttemptOwner, NOT_ASKED } from "./attempt/attempt.ts";
import { checkContent } from "./attempt/check-content.ts";
import { classify, engineFailure } from "./classify/index.ts";
import { decide, isCarried } from "./decide/decide.ts";
import { decideBlocked } from "./decide/decide-blocked.ts";
import { Trail } from "./enact/trail.ts";
import { EnactingGeneration, type Leave } from "./generation-enact.ts";
import { NO_TARGET, type Outcome } from "./generation-state.ts";
import type { Health } from "./health/health.ts";
import type { GenerationHandle } from "./model/event.ts";
import type { Failure } from "./model/failure.ts";
import type { ContentRequirement, Policy } from "./model/policy.ts";
import type { Abortable, ContentVerdict, Ports } from "./model/ports.ts";
import { sayHowLong, whyHeldBack } from "./why-held-back.ts";

/**
 * The loop: attempt → outcome → classify → decide → enact → attempt, until it finishes. It exists once, here.
 *
 * It is written as an object that is called back, not as an async function: a generation that sleeps is then one small
 * object in the clock's heap, and an abort can end it at once, whatever it is waiting for.
 */
export abstract class Generation extends EnactingGeneration implements GenerationHandle, AttemptOwner, Abortable {
  // What kinds of generation differ in.

  /** Makes the call; its outcome comes back through `finishAttempt` or `fail`, never before this has returned. */
  protected abstract launch(attempt: Attempt): void;
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

  protected override begin(leave: Leave): void {
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
    // An endpoint's own words say more. As long as there are none it is told what holds it back now, not what did at first.
    const own = this.attempts === 0 ? undefined : trail.failure;
    const failure = own ?? whyHeldBack(health, { target, breaker: policy.policy.breaker, nowMs });
    const decision = decideBlocked(this.situation(nowMs, failure), waitMs);
    if (decision === undefined) return false;
    trail.failure = own === undefined && decision.type === "stop" ? sayHowLong(failure) : failure;
    this.enact(decision, failure);
    return true;
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

  protected override endFaulty(fault: unknown): void {
    this.setup.ports.reportFault(fault, "engine");
    if (!this.isEnded()) this.end("engine-fault");
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
  protected override end(outcome: Outcome): void {
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
