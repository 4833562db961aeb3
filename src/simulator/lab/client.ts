import { type AttemptCall, CallGeneration, type CallSetup } from "../../kernel/index.ts";
import { drawExponential, type Random, type VirtualWorld } from "../world/index.ts";
import type { Tally } from "./tally.ts";

export interface ClientSetup {
  readonly world: VirtualWorld;
  readonly engine: CallSetup;
  readonly call: AttemptCall<unknown>;
  readonly tally: Tally;
  readonly random: Random;
  /** Mean time between an answer and the next question. */
  readonly thinkMs: number;
}

/**
 * One client: thinks, asks, waits for the end, thinks again. It has one question at a time, so that a thousand clients have
 * a thousand at most, however long the outage is.
 */
export function startClient(setup: ClientSetup): void {
  const { world, engine, call, tally, random, thinkMs } = setup;
  const ask = (): void => {
    tally.generationOffered();
    const generation: CallGeneration = new CallGeneration(
      engine,
      call,
      () => {
        tally.generationEnded(generation.ok);
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
