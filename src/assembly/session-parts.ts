import type { PolicyInput } from "../kernel/index.ts";
import type { SessionParts } from "../session/index.ts";
import type { Assembly } from "./open-assembly.ts";
import { storedSettings } from "./stored-settings.ts";

/** A stream that stays silent would block the prompt forever. The same limits as in the recommended policy. */
export const WATCHDOG = { firstContentMs: 300_000, idleMs: 60_000 } as const;

/** The parts that sessions of every host share. */
export function sharedParts(assembly: Assembly): Omit<SessionParts, "settings"> {
  const { providers, defaultModel, store, redact, redactPieces, health, ports, extensions } = assembly;
  const { conversations, journal } = store;
  return {
    ...{ providers, defaultModel, conversations, journal, health, ports, redact },
    ...(redactPieces !== undefined && { redactPieces }),
    ...(extensions !== undefined && { extensions }),
  };
}

/** What an agent session is built from. Tools are the host's choice. */
export async function sessionParts(assembly: Assembly): Promise<SessionParts> {
  const { config, experience } = assembly.store;
  const [hasBreaker, isAdaptive] = await Promise.all([
    config.get("api_circuit_breaker"),
    config.get("api_retry_adaptive"),
  ]);
  const policy: PolicyInput = { watchdog: WATCHDOG, ...(hasBreaker && { breaker: {} }) };
  return {
    ...sharedParts(assembly),
    settings: storedSettings(config),
    policies: Object.fromEntries([...assembly.providers.keys()].map((name) => [name, policy])),
    ...(isAdaptive && { experience }),
  };
}
