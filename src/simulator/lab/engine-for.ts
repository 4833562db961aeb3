import { type CallSetup, definePolicy, type Policy } from "../../kernel/index.ts";
import { setupOf } from "../../library/setup.ts";
import type { VirtualWorld } from "../world/index.ts";
import { lightAbort } from "./light-abort.ts";

export interface LabPolicy {
  readonly name: string;
  readonly policy: Policy;
}

export interface EngineInput {
  readonly policy: LabPolicy;
  readonly world: VirtualWorld;
  /** Names of the providers, in the order of the chain. */
  readonly providers: readonly string[];
}

/** How long a client waits for an answer, unless its own policy is stricter. The presets have minutes, for real models. */
export const TIME_LIMIT_MS = 5000;

/** The real engine, put together as the library does it, with one health for all clients. */
export function engineFor({ policy: { policy }, world, providers }: EngineInput): CallSetup {
  const { firstContentMs, idleMs } = policy.watchdog;
  const limited = definePolicy(
    {
      watchdog: {
        firstContentMs: Math.min(TIME_LIMIT_MS, firstContentMs ?? TIME_LIMIT_MS),
        idleMs: Math.min(TIME_LIMIT_MS, idleMs ?? TIME_LIMIT_MS),
      },
    },
    policy,
  );
  const targets = providers.map((provider) => ({ provider, model: "model" }));
  const setup = setupOf(limited, { ports: { ...world.ports, newAbort: lightAbort }, targets });
  // Who asks looks at the generation itself, so nothing has to be made for the end.
  return { ...setup, isTimed: false, textOf: () => undefined, present: () => undefined };
}
