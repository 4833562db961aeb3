import type { Unread } from "../attempt/answer-text.ts";
import { Attempt, type AttemptContext, type AttemptOwner, NOT_ASKED } from "../attempt/attempt.ts";
import { classifyFor } from "../classify/classify.ts";
import { engineFailure, sayExpired } from "../classify/engine-failure.ts";
import type { StopReason } from "../model/decision.ts";
import type { EventBody, GenerationHandle } from "../model/event.ts";
import type { Failure } from "../model/failure.ts";
import type { Policy } from "../model/policy.ts";
import type { Abortable, Ports, Sleeper } from "../model/ports.ts";
import type { Receipt } from "../model/receipt.ts";
import { NO_TARGET, type Target } from "../model/target.ts";
import { cancelWith } from "./cancel-with.ts";
import { checkAnswer } from "./check-answer.ts";
import { decideNext, isHeldBack, type Leave } from "./decide-next.ts";
import { enact, endWait, resume, retryNow } from "./enact.ts";
import { close, endEarly, endFaulty, endWithoutTarget, receiptFor } from "./end.ts";
import { momentOf } from "./moment.ts";
import type { Setup } from "./setup.ts";
import { type Outcome, outcomeIn, type Phase } from "./state.ts";
import { tellListener } from "./tell-listener.ts";
import { Trail } from "./trail.ts";

/**
 * The loop: attempt → outcome → classify → decide → enact → attempt, until it finishes. It exists once, here.
 *
 * It is an object that is called back, not an async function: a generation that sleeps is then one small object among
 * the clock's sleepers, and an abort can end it at once, whatever it is waiting for. Its state is written by the files of this
 * folder alone.
 */
export abstract class Generation<S extends Setup = Setup>
  implements GenerationHandle, AttemptOwner, Abortable, Sleeper
{
  readonly setup: S;
  wakeAtMs = 0;
  slot = -1;
  /** What it is doing, or how it has ended. */
  state: Phase | Outcome = "ready";
  current: Attempt | undefined = undefined;
  trail: Trail | undefined = undefined;
  readonly signal: AbortSignal | undefined;
  /** Empty: the caller gave none. */
  readonly givenId: string;
  private madeId = "";
  attemptsMade = 0;
  /** Index of the current target in the chain. */
  position = 0;
  /** When it started; once it has ended, how long it took. */
  clockMs = 0;
  /** Makes one attempt. */
  protected readonly call: (context: AttemptContext) => unknown;
  // A call's promise and answer stand here, so that `CallGeneration` needs no constructor with `super()` (decision 0005).
  protected readonly resolve: (outcome: unknown) => void;
  value: unknown = undefined;

  constructor(
    setup: S,
    call: (context: AttemptContext) => unknown,
    resolve: (outcome: unknown) => void,
    signal: AbortSignal | undefined,
    id: string,
  ) {
    this.setup = setup;
    this.signal = signal;
    this.givenId = id;
    this.call = call;
    this.resolve = resolve;
  }

  // What the two kinds of generation differ in.

  /** Makes the call; its outcome comes back through `finishAttempt` or `fail`, never before this has returned. */
  abstract launch(attempt: Attempt): void;
  /** The text of the answer, for required content. May throw: it calls the caller's function. */
  abstract answerText(): string | true | Unread;
  /** Whether nothing was given out, or all of it can be taken back. */
  abstract canReplay(): boolean;
  /** Whether content of the last attempt was given out. */
  abstract hasDelivered(): boolean;
  /** Another attempt follows: take back what was given out. */
  abstract discard(failure: Failure): void;
  /** The attempt was given up: let go of what it holds. */
  abstract letGo(attempt: Attempt): void;
  /** The generation has ended: settle the caller's promise or stream. */
  abstract settle(): void;

  // What others see of it.

  get id(): string {
    if (this.givenId !== "") return this.givenId;
    if (this.madeId === "") this.madeId = this.setup.ports.newId();
    return this.madeId;
  }

  get ports(): Ports {
    return this.setup.ports;
  }

  get policy(): Policy {
    return this.setup.policy.policy;
  }

  get isWaiting(): boolean {
    return this.state === "waiting";
  }

  get ok(): boolean {
    return this.state === "succeeded";
  }

  get reason(): StopReason | undefined {
    const { outcome } = this;
    return outcome === "succeeded" ? undefined : outcome;
  }

  get failure(): Failure | undefined {
    return this.ok ? undefined : this.trail?.failure;
  }

  get receipt(): Receipt {
    return receiptFor(this);
  }

  /** True as well once it is parked. */
  isEnded(): boolean {
    return this.state !== "ready" && this.state !== "attempting" && this.state !== "waiting";
  }

  /** Left in a wait: it has not ended, but nothing more happens here. */
  get isParked(): boolean {
    return this.state === "parked";
  }

  /** Undefined until it has ended. */
  get outcome(): Outcome | undefined {
    return outcomeIn(this.state);
  }

  target(): Target {
    return this.setup.chain.targets[this.position] ?? NO_TARGET;
  }

  /** The trail, made when there is something to remember. */
  remember(triesHere = 0): Trail {
    this.trail ??= new Trail(triesHere);
    return this.trail;
  }

  /** `body` is made for this: it becomes the event. */
  emit(body: EventBody): void {
    tellListener(this, body);
  }

  // What ends a wait or the generation from outside.

  /** Bound when asked for, like {@link giveUp}: listeners may destructure their handle. */
  get retryNow(): () => boolean {
    return () => retryNow(this);
  }

  get giveUp(): () => boolean {
    return () => endEarly(this, "gave-up", "Given up by hand");
  }

  onAbort(reason: unknown): void {
    endEarly(this, "aborted", "Aborted", reason);
  }

  wake(): void {
    try {
      endWait(this, "elapsed");
    } catch (fault) {
      endFaulty(this, fault);
    }
  }

  // The loop.

  start(): void {
    const { ports, isTimed, listener } = this.setup;
    const { signal } = this;
    this.clockMs = isTimed || listener !== undefined ? ports.now() : ports.roughNow();
    if (signal !== undefined) {
      if (signal.aborted) return this.onAbort(ports.reasonOf(signal));
      ports.onAbort(signal, this);
    }
    if (this.setup.resume === undefined) this.begin("asked");
    else resume(this, this.setup.resume);
  }

  /** Makes one attempt, if health or a person permits it. */
  begin(leave: Leave): void {
    const { health, policy, ports, listener } = this.setup;
    const target = this.target();
    if (target === NO_TARGET) return endWithoutTarget(this);
    let askedAtMs = NOT_ASKED;
    // A retry spends from the budget, however well the target is.
    const isBudgeted = this.attemptsMade > 0 && policy.policy.budget !== null;
    if (health !== undefined && (isBudgeted || (!health.isQuiet && !health.isFree))) {
      // A whole millisecond: a fraction would cost every attempt an object of its own. Retries that wake together share a moment.
      askedAtMs = Math.ceil(isBudgeted ? momentOf(ports) : ports.now());
      if (isHeldBack(this, health, leave, askedAtMs)) return;
    }
    health?.started?.(target);
    const attempt = new Attempt(this, ++this.attemptsMade, target);
    attempt.admittedAtMs = askedAtMs;
    this.state = "attempting";
    this.current = attempt;
    if (this.trail !== undefined) this.trail.triesHere++;
    if (listener !== undefined) {
      this.emit({ type: "attempt-start", attempt: attempt.attempt, target });
      // The listener may have ended the generation.
      if (this.current !== attempt) return;
    }
    const { firstContentMs } = policy.policy.watchdog;
    if (firstContentMs !== null) attempt.watch(firstContentMs);
    this.launch(attempt);
  }

  /** The attempt has ended well; the answer is good if it has the required content. */
  finishAttempt(attempt: Attempt): void {
    const { ports, policy } = this.setup;
    attempt.close(ports);
    const { require } = policy.policy;
    if (require === null) this.succeed(attempt);
    else checkAnswer(this, attempt, require);
  }

  succeed(attempt: Attempt): void {
    const { health, ports, listener } = this.setup;
    this.current = undefined;
    if (health?.isQuiet === true) health.countAnswer?.(attempt.target, ports);
    else health?.succeeded(attempt, health.isFree ? ports.roughNow() : ports.now());
    if (listener !== undefined) {
      this.emit({ type: "attempt-end", attempt: attempt.attempt, target: attempt.target, ok: true });
      if (this.isEnded()) return;
    }
    this.end("succeeded");
  }

  /** The attempt threw or received an error. */
  fail(attempt: Attempt, thrown: unknown): void {
    // What a cancelled attempt still throws does not count; only that it has settled.
    if (attempt.cancelledFor !== undefined) return this.failWith(attempt, attempt.cancelledFor);
    const { ports, policy, problemOf } = this.setup;
    const { target } = attempt;
    const problem = problemOf === undefined ? thrown : problemOf(thrown);
    const failure = classifyFor(problem, target.provider, target, policy.policy.classify, ports);
    this.failWith(attempt, problem === thrown ? failure : { ...failure, cause: thrown });
  }

  /** The failure is classified: decide and enact. A fault of ours in here must not hide the provider's own error. */
  failWith(attempt: Attempt, failure: Failure): void {
    if (this.current !== attempt) return;
    this.current = undefined;
    const { health, ports, listener } = this.setup;
    attempt.close(ports);
    this.remember(1).noteFailure(failure, attempt.attempt);
    try {
      const nowMs = momentOf(ports);
      health?.failed(attempt, failure, nowMs);
      if (listener !== undefined) {
        this.emit({ type: "attempt-end", attempt: attempt.attempt, target: attempt.target, ok: false, failure });
        if (this.isEnded()) return;
      }
      const decision = decideNext(this, attempt, failure, nowMs);
      // Taking content back calls the consumer, who may have ended the generation.
      if (!this.isEnded()) enact(this, decision, failure, nowMs);
    } catch (fault) {
      endFaulty(this, fault);
    }
  }

  expired(attempt: Attempt, kind: "silent" | "stalled"): void {
    if (this.current !== attempt) return;
    // The grace is over: the attempt does not settle, so the generation goes on without it.
    if (attempt.cancelledFor !== undefined) return this.failWith(attempt, attempt.cancelledFor);
    const { policy, cancelGraceMs, ports } = this.setup;
    const message = sayExpired(kind, policy.policy.watchdog);
    const failure = { ...engineFailure(kind, message, `watchdog:${kind}`, attempt.target), cause: new Error(message) };
    const below = cancelWith(attempt, failure);
    // It was retrying when the time was up: another attempt would start all of that again.
    if (below !== undefined && below.calls > 1) attempt.cancelledFor = { ...failure, below };
    this.letGo(attempt);
    if (cancelGraceMs > 0) ports.watch(attempt, cancelGraceMs);
    else this.fail(attempt, undefined);
  }

  /** Whatever fails on the way out, the caller's promise or stream is settled. */
  end(outcome: Outcome): void {
    // A listener of the attempt's signal may have ended it while it was being ended.
    if (this.isEnded()) return;
    this.state = outcome;
    const { listener, isTimed } = this.setup;
    // A good call without signal, listener or timing has nothing to close: no clock is read for it.
    const isPlain = outcome === "succeeded" && this.signal === undefined && listener === undefined && !isTimed;
    if (!isPlain) close(this);
    this.settle();
  }
}
