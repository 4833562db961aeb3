import type { PolicyInput } from "../kernel/index.ts";
import type { SessionParts } from "../session/index.ts";
import { providerSettings } from "../store/index.ts";
import type { Assembly } from "./open-assembly.ts";
import { retrySettingsOf, storedSettings } from "./stored-settings.ts";

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
  const [hasBreaker, isAdaptive, entries] = await Promise.all([
    config.get("api_circuit_breaker"),
    config.get("api_retry_adaptive"),
    config.list(),
  ]);
  let own = providerSettings(entries);
  const stored = storedSettings(config);
  const names = [...assembly.providers.keys()];
  const isAdaptiveFor = (name: string): boolean => own.get(name)?.api_retry_adaptive ?? isAdaptive;
  const policyOf = (name: string): PolicyInput => ({
    watchdog: WATCHDOG,
    ...((own.get(name)?.api_circuit_breaker ?? hasBreaker) && { breaker: {} }),
  });
  return {
    ...sharedParts(assembly),
    settings: {
      ...stored,
      read: async () => {
        own = providerSettings(await config.list());
        return stored.read();
      },
    },
    policies: Object.fromEntries(names.map((name) => [name, policyOf(name)])),
    settingsFor: (name) => retrySettingsOf(own.get(name) ?? {}),
    ...(names.some(isAdaptiveFor) && { experience, isAdaptive: isAdaptiveFor }),
  };
}
