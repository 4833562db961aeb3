import type { PolicyInput } from "../kernel/index.ts";
import type { ProviderSet, SessionParts } from "../session/index.ts";
import type { Assembly } from "./open-assembly.ts";
import { storedSettings } from "./stored-settings.ts";

/** A stream that has gone quiet for ever would keep the prompt for ever. As long as the recommended policy waits. */
const WATCHDOG = { firstContentMs: 300_000, idleMs: 60_000 } as const;

/** What a session of any host is built from. Tools are the host's choice. */
export async function sessionParts(assembly: Assembly): Promise<SessionParts> {
  const { providers, defaultModel, store, redact, redactPieces, health, ports } = assembly;
  const { config, conversations, journal, experience } = store;
  const [hasBreaker, isAdaptive] = await Promise.all([
    config.get("api_circuit_breaker"),
    config.get("api_retry_adaptive"),
  ]);
  return {
    providers,
    defaultModel,
    conversations,
    journal,
    settings: storedSettings(config),
    health,
    ports,
    redact,
    ...(redactPieces !== undefined && { redactPieces }),
    policies: forEach(providers, { watchdog: WATCHDOG, ...(hasBreaker && { breaker: {} }) }),
    ...(isAdaptive && { experience }),
  };
}

function forEach(providers: ProviderSet, policy: PolicyInput): Readonly<Record<string, PolicyInput>> {
  return Object.fromEntries([...providers.keys()].map((name) => [name, policy]));
}
