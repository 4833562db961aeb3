import type { AttemptContext } from "../../../src/kernel/index.ts";
import { VirtualWorld } from "../../../src/simulator/world/index.ts";

/** A virtual world that records what happens in it, with the time: `20 fail`. */
export class LoggedWorld extends VirtualWorld {
  readonly log: string[] = [];

  note(what: string): void {
    this.log.push(`${this.nowMs} ${what}`);
  }
}

/** What a scripted target does with one call. */
type Reaction =
  | { readonly type: "answer"; readonly afterMs: number; readonly value: unknown }
  | { readonly type: "fail"; readonly afterMs: number; readonly error: unknown }
  | { readonly type: "hang" };

export function answers(value: unknown = "a good answer", afterMs = 0): Reaction {
  return { type: "answer", afterMs, value };
}

/** An HTTP error as an SDK throws it. `retryAfterMs` is sent as `retry-after-ms`. */
export function failsWith(
  status: number,
  { afterMs = 0, retryAfterMs }: { readonly afterMs?: number; readonly retryAfterMs?: number } = {},
): Reaction {
  const headers = retryAfterMs === undefined ? {} : { "retry-after-ms": String(retryAfterMs) };
  return { type: "fail", afterMs, error: Object.assign(new Error(`HTTP ${status}`), { status, headers }) };
}

/** Settles only when its signal aborts, as a socket does. */
export function hangs(): Reaction {
  return { type: "hang" };
}

/** Plays one reaction per attempt and repeats the last one; logs each call and its end. */
export function scriptedTarget(
  world: LoggedWorld,
  script: readonly Reaction[],
): (context: AttemptContext) => Promise<unknown> {
  let calls = 0;
  return ({ attempt, target, signal }) => {
    const reaction = script[Math.min(calls++, script.length - 1)] ?? hangs();
    world.note(`call ${attempt} ${target.provider}/${target.model}`);
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        world.note(reaction.type);
        if (reaction.type === "answer") resolve(reaction.value);
        if (reaction.type === "fail") reject(reaction.error);
      };
      const cancel = reaction.type === "hang" ? () => undefined : world.after(reaction.afterMs, settle);
      signal.addEventListener("abort", () => {
        cancel();
        world.note("abandoned");
        reject(signal.reason);
      });
    });
  };
}
