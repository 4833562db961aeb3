import { type AttemptCall, CallGeneration, type CallSetup } from "../../kernel/index.ts";
import { drawExponential, type Random, type VirtualWorld } from "../world/index.ts";
import type { Tally } from "./tally.ts";

export interface ClientSetup {
  readonly world: VirtualWorld;
  readonly engine: CallSetup;
  readonly call: AttemptCall<unknown>;
  readonly tally: Tally;
  readonly random: Random;
  /** Mean time between a result and the next request. */
  readonly thinkMs: number;
}

/**
 * One client: pauses, asks, waits for the result, pauses again. It has one request at a time, so a thousand clients have at
 * most a thousand, however long the outage is.
 */
export function startClient(setup: ClientSetup): void {
  const { world, engine, call, tally, random, thinkMs } = setup;
  const ask = (): void => {
    tally.count("offered");
    const generation: CallGeneration = new CallGeneration(
      engine,
      call,
      () => {
        tally.count(generation.ok ? "answered" : "failed");
        think();
      },
      undefined,
      "",
    );
    generation.start();
  };
  const think = (): void => void world.after(drawExponential(random, thinkMs), ask);
  think();
}
