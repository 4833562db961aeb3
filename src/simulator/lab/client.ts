import { type AttemptCall, CallGeneration, type CallSetup } from "../../kernel/index.ts";
import { drawExponential, type Random, type VirtualWorld } from "../world/index.ts";
import type { Tally } from "./tally.ts";

interface RequestSetup {
  readonly world: VirtualWorld;
  readonly engine: CallSetup;
  readonly call: AttemptCall<unknown>;
  readonly tally: Tally;
}

export interface ClientSetup extends RequestSetup {
  readonly random: Random;
  /** Mean time between a result and the next request. */
  readonly thinkMs: number;
  /** When the first request is sent. Default: after a pause like all others. */
  readonly firstAtMs?: number;
}

/**
 * One client: pauses, asks, waits for the result, pauses again. It has one request at a time, so a thousand clients have at
 * most a thousand, however long the outage is.
 */
export function startClient(setup: ClientSetup): void {
  const { world, random, thinkMs, firstAtMs } = setup;
  const think = (): void => void world.after(drawExponential(random, thinkMs), () => sendRequest(setup, think));
  if (firstAtMs === undefined) think();
  else world.after(firstAtMs, () => sendRequest(setup, think));
}

/** One request, from the question to its result. */
export function sendRequest({ world, engine, call, tally }: RequestSetup, onEnd?: () => void): void {
  const startedMs = world.nowMs;
  tally.started(startedMs);
  const generation: CallGeneration = new CallGeneration(
    engine,
    call,
    () => {
      tally.ended(startedMs, generation.ok);
      onEnd?.();
    },
    undefined,
    "",
  );
  generation.start();
}
