import { engineFailure } from "../classify/engine-failure.ts";
import { receiptOf } from "../finish/receipt.ts";
import type { Failure } from "../model/failure.ts";
import type { Receipt } from "../model/receipt.ts";
import { cancelWith } from "./cancel-with.ts";
import { endWait } from "./enact.ts";
import type { Generation } from "./generation.ts";

export function endWithoutTarget(generation: Generation): void {
  const why = generation.setup.chain.warnings.join("; ");
  const message = why === "" ? "No target was given" : `No usable target: ${why}`;
  generation.remember().failure = engineFailure("not_found", message, "engine:no-target");
  generation.end("no-target");
}

/** A fault of our own: it is reported, and the caller gets the provider's error. */
export function endFaulty(generation: Generation, fault: unknown): void {
  generation.ports.reportFault(fault, "engine");
  releaseCurrent(generation);
  if (!generation.isEnded()) generation.end("engine-fault");
}

/** An attempt that health counts as under way for ever would hold others back. */
function releaseCurrent(generation: Generation): void {
  const { current, ports } = generation;
  generation.current = undefined;
  try {
    if (current !== undefined) generation.setup.health?.released(current, ports.now());
  } catch (fault) {
    ports.reportFault(fault, "engine");
  }
}

/** The caller, a person or a signal ends the generation. False: it had ended already. */
export function endEarly(
  generation: Generation,
  reason: "aborted" | "gave-up",
  message: string,
  cause?: unknown,
): boolean {
  if (generation.isEnded()) return false;
  const { ports, health, listener } = generation.setup;
  const { current } = generation;
  const failure: Failure = { ...engineFailure("aborted", message, `engine:${reason}`, generation.target()), cause };
  if (generation.isWaiting) {
    ports.rouse(generation);
    endWait(generation, reason);
    if (generation.isEnded()) return true;
  }
  const trail = generation.remember();
  // A person who gives up sees the failure that the generation was waiting to retry.
  if (reason === "aborted" || trail.failure === undefined) trail.noteEnd(failure);
  if (current !== undefined) {
    generation.current = undefined;
    health?.released(current, ports.now());
    const below = cancelWith(current, failure);
    if (below !== undefined) trail.noteCalls(below.calls);
    generation.letGo(current);
    if (listener !== undefined) {
      generation.emit({ type: "attempt-end", attempt: current.attempt, target: current.target, ok: false, failure });
    }
  }
  generation.end(reason);
  return true;
}

/** The generation is parked: another one goes on for it. Nothing is announced, because nothing has ended. */
export function leave(generation: Generation): void {
  const { ports, signal } = generation;
  generation.state = "parked";
  if (signal !== undefined) ports.offAbort(signal, generation);
  generation.clockMs = Math.max(0, ports.now() - generation.clockMs);
  generation.settle();
}

/** Stops the clock, unsubscribes from the signal and announces the end. */
export function close(generation: Generation): void {
  const { ports, listener } = generation.setup;
  const { signal, failure } = generation;
  try {
    if (signal !== undefined) ports.offAbort(signal, generation);
    generation.clockMs = Math.max(0, ports.now() - generation.clockMs);
    if (listener === undefined) return;
    generation.emit({ type: "generation-end", receipt: generation.receipt, ...(failure !== undefined && { failure }) });
  } catch (fault) {
    ports.reportFault(fault, "engine");
  }
}

export function receiptFor(generation: Generation): Receipt {
  const { trail, setup, clockMs } = generation;
  return receiptOf({
    generationId: generation.id,
    outcome: generation.outcome ?? "running",
    hasDelivered: generation.hasDelivered(),
    attempts: generation.attemptsMade,
    calls: generation.attemptsMade + (trail?.moreCalls ?? 0),
    elapsedMs: Math.round(generation.isEnded() ? clockMs : Math.max(0, setup.ports.now() - clockMs)),
    target: generation.target(),
    failed: trail?.history() ?? [],
    waitedMs: trail?.waitedMs ?? 0,
    patienceMs: generation.policy.patienceMs,
    warnings: [...setup.chain.warnings, ...(trail?.warnings ?? [])],
  });
}
