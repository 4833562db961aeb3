import { type CallSetup, definePolicy } from "../../kernel/index.ts";
import { setupOf } from "../../library/setup.ts";
import type { VirtualWorld } from "../world/index.ts";
import type { Entrant } from "./entrant.ts";
import { lightAbort } from "./light-abort.ts";

/** How long a client waits for an answer, unless its policy is stricter. The presets allow minutes, for real models. */
export const TIME_LIMIT_MS = 5000;

/** The real engine, set up as the library does it, with one health for all its clients. `providers`: the chain, in order. */
export function engineFor(
  { policy, newHealth }: Entrant,
  world: VirtualWorld,
  providers: readonly string[],
): CallSetup {
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
  const ports = { ...world.ports, newAbort: lightAbort };
  const setup = setupOf(limited, { ports, targets, ...(newHealth !== undefined && { health: newHealth() }) });
  // Clients read the outcome from the generation itself, so no result has to be built.
  return { ...setup, isTimed: false, textOf: () => undefined, present: () => undefined };
}
