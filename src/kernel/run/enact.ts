import type { Decision } from "../model/decision.ts";
import type { GenerationEvent } from "../model/event.ts";
import type { Failure } from "../model/failure.ts";
import { leave } from "./end.ts";
import type { Generation } from "./generation.ts";
import { type Resumption, restoreGeneration, saveGeneration } from "./saved-generation.ts";

type WaitEnd = Extract<GenerationEvent, { type: "wait-end" }>["ended"];

/** After this many attempts without a delay the event loop gets its turn. */
const BREATH = 32;

/** Carries a decision out: ends the generation, waits, or moves to another target. */
export function enact(generation: Generation, decision: Decision, failure: Failure, nowMs: number): void {
  switch (decision.type) {
    case "stop":
      return generation.end(decision.reason);
    case "hand-over":
      return generation.end("hand-over");
    case "wait":
      return wait(generation, decision, failure, nowMs);
    case "rotate":
    case "switch":
      return move(generation, decision);
    default:
      decision satisfies never;
  }
}

function wait(
  generation: Generation,
  decision: Extract<Decision, { type: "wait" }>,
  failure: Failure,
  nowMs: number,
): void {
  const { ports, policy, listener } = generation.setup;
  const { delayMs, schedule, to } = decision;
  const trail = generation.remember();
  if (schedule >= 0) trail.useUp(schedule, delayMs);
  else trail.blockedWaits++;
  trail.waitTo = to;
  trail.waitMs = delayMs;
  generation.state = "waiting";
  if (listener !== undefined) {
    // The listener may end the wait before `sleep` sets this, and `endWait` reads it.
    generation.wakeAtMs = Math.ceil(ports.now() + delayMs);
    generation.emit({
      type: "wait-start",
      attempt: generation.attemptsMade,
      retry: trail.used()[schedule] ?? trail.blockedWaits,
      maxRetries: policy.schedules[schedule]?.maxRetries ?? null,
      schedule: policy.scheduleNames[schedule] ?? "",
      delayMs,
      waitedMs: trail.waitedMs,
      patienceMs: policy.policy.patienceMs,
      until: Math.ceil(ports.wallNow() + delayMs),
      failure,
      because: decision.because,
    });
    // The listener may have ended the wait, or the whole generation.
    if (!generation.isWaiting) return;
  }
  // No timer for no delay: a switch costs microseconds, not a millisecond. But a call that always fails at once must not
  // starve the event loop.
  if (delayMs === 0 && generation.attemptsMade % BREATH !== 0) endWait(generation, "elapsed");
  else if (delayMs > 0 && isParked(generation, delayMs)) leave(generation);
  // A listener may have taken its time.
  else ports.sleep(generation, delayMs, listener === undefined ? nowMs : undefined);
}

function isParked(generation: Generation, delayMs: number): boolean {
  const { park, ports } = generation.setup;
  return park?.(saveGeneration(generation, Math.ceil(ports.wallNow() + delayMs))) ?? false;
}

/** Goes on in the wait that a parked generation was left in: it is over, unless it is asked for too early. */
export function resume(generation: Generation, { saved, by }: Resumption): void {
  const { ports } = generation.setup;
  restoreGeneration(generation, saved);
  if (by === "retry-now") return endWait(generation, "retry-now");
  const restMs = saved.until - ports.wallNow();
  if (restMs <= 0) endWait(generation, "elapsed");
  else ports.sleep(generation, restMs);
}

/** A person ends the wait early. False: it was not waiting. */
export function retryNow(generation: Generation): boolean {
  if (!generation.isWaiting) return false;
  generation.ports.rouse(generation);
  endWait(generation, "retry-now");
  return true;
}

/** Ends the wait. Starts the next attempt unless the generation is about to end. */
export function endWait(generation: Generation, ended: WaitEnd): void {
  const { trail } = generation;
  if (trail === undefined) return;
  const { ports, listener } = generation.setup;
  const isWhole = ended === "elapsed" || trail.waitMs === 0;
  const restMs = isWhole ? 0 : Math.max(0, generation.wakeAtMs - ports.now());
  const waitedMs = Math.max(0, trail.waitMs - Math.floor(restMs));
  trail.noteWait(waitedMs);
  generation.state = "ready";
  if (listener !== undefined) {
    generation.emit({ type: "wait-end", attempt: generation.attemptsMade, waitedMs, ended });
    if (generation.isEnded()) return;
  }
  if (ended === "aborted" || ended === "gave-up") return;
  const { waitTo } = trail;
  if (waitTo !== generation.position) {
    goTo(generation, waitTo, waitTo < generation.position ? "revert" : "switch", "its cooldown is over");
  }
  if (!generation.isEnded()) generation.begin(ended === "retry-now" ? "given" : "asked");
}

function move(generation: Generation, decision: Extract<Decision, { type: "rotate" | "switch" }>): void {
  const trail = generation.remember();
  // Passing over a target that cools down before the first call is no retry.
  if (generation.policy.fallback.movesCount && generation.attemptsMade > 0) trail.useUp(decision.schedule, 0);
  trail.noteMove(generation.position);
  goTo(generation, decision.to, decision.type, decision.because);
  if (!generation.isEnded()) generation.begin("asked");
}

function goTo(generation: Generation, to: number, how: "rotate" | "switch" | "revert", because: string): void {
  const { chain, listener } = generation.setup;
  const { trail, position } = generation;
  const from = generation.target();
  if (chain.entryOf[to] !== chain.entryOf[position]) {
    trail?.enterEntry();
    if (generation.policy.fallback.when === "after-retries") trail?.leaveEntry(chain.entryOf, position);
  }
  generation.position = to;
  if (listener === undefined) return;
  const failure = trail?.failure;
  generation.emit({
    type: "target-switch",
    attempt: generation.attemptsMade,
    from,
    to: generation.target(),
    how,
    because,
    ...(failure !== undefined && { failure }),
  });
}
