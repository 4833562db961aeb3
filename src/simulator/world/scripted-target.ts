import type { AttemptContext } from "../../kernel/index.ts";
import type { VirtualWorld } from "./virtual-world.ts";

/** What a scripted target does when it is called. */
export type Step =
  | { readonly type: "answer"; readonly afterMs: number; readonly value: unknown }
  | { readonly type: "fail"; readonly afterMs: number; readonly problem: unknown }
  | { readonly type: "hang" };

export interface Refusal {
  readonly message?: string;
  readonly afterMs?: number;
  /** Sent as `retry-after-ms`. */
  readonly retryAfterMs?: number;
}

export function answers(value: unknown = "a good answer", afterMs = 0): Step {
  return { type: "answer", afterMs, value };
}

/** An HTTP error as an SDK throws it. */
export function refuses(status: number, refusal: Refusal = {}): Step {
  const { message = `HTTP ${status}`, afterMs = 0, retryAfterMs } = refusal;
  const headers = retryAfterMs === undefined ? {} : { "retry-after-ms": String(retryAfterMs) };
  return { type: "fail", afterMs, problem: Object.assign(new Error(message), { status, headers }) };
}

/** Settles only when its signal aborts, as a socket does. */
export function hangs(): Step {
  return { type: "hang" };
}

/** Plays the steps, one an attempt, the last one again and again; each call and its end is a line in the world's log. */
export function scriptedTarget(
  world: VirtualWorld,
  steps: readonly Step[],
): (context: AttemptContext) => Promise<unknown> {
  let calls = 0;
  return (context) => {
    const step = steps[Math.min(calls++, steps.length - 1)] ?? hangs();
    world.note(`call ${context.attempt} ${context.target.provider}/${context.target.model}`);
    return play(world, step, context.signal);
  };
}

function play(world: VirtualWorld, step: Step, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const callOff =
      step.type === "hang"
        ? () => undefined
        : world.after(step.afterMs, () => {
            world.note(step.type);
            if (step.type === "answer") resolve(step.value);
            else reject(step.problem);
          });
    signal.addEventListener("abort", () => {
      callOff();
      world.note("abandoned");
      reject(signal.reason);
    });
  });
}
