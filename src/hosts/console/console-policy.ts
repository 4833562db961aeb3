import { WATCHDOG } from "../../assembly/index.ts";
import { definePolicy, type Policy, type Ports } from "../../kernel/index.ts";
import { consolePolicy } from "../../presets/index.ts";
import { CONFIG_KEYS, type ConfigStore, providerSettings } from "../../store/index.ts";

/** C9: cut off for longer than the longest usual wait, or it would never show. Each failed probe doubles it. */
const BREAKER = { failures: 5, cooldownMs: 30_000, maxCooldownMs: 120_000 } as const;

/** What the console does about the failures of one provider. */
export interface ProviderRetries {
  readonly policy: Policy;
  readonly longestMs: number;
  readonly isAdaptive: boolean;
}

/** The console's retry settings in the config table. */
export interface ConsoleConfig {
  readonly showsWarnings: boolean;
  /** C10: with what is set for this provider alone. */
  retriesFor(provider: string): ProviderRetries;
}

const DEFAULTS = {
  maxDelaySeconds: CONFIG_KEYS.api_retry_max_delay.default,
  hasBreaker: CONFIG_KEYS.api_circuit_breaker.default,
  isAdaptive: CONFIG_KEYS.api_retry_adaptive.default,
};

export const DEFAULT_CONFIG: ConsoleConfig = {
  showsWarnings: CONFIG_KEYS.api_retry_show_warnings.default,
  retriesFor: lookUp(retriesOf(DEFAULTS)),
};

/** C5, C9, C10: the settings now. If they can't be read, the defaults apply. */
export async function readConsoleConfig(config: ConfigStore, ports: Ports): Promise<ConsoleConfig> {
  try {
    const shared = {
      maxDelaySeconds: await config.get("api_retry_max_delay"),
      hasBreaker: await config.get("api_circuit_breaker"),
      isAdaptive: await config.get("api_retry_adaptive"),
    };
    const own = [...providerSettings(await config.list())].map(
      ([provider, set]) =>
        [
          provider,
          retriesOf({
            maxDelaySeconds: set.api_retry_max_delay ?? shared.maxDelaySeconds,
            hasBreaker: set.api_circuit_breaker ?? shared.hasBreaker,
            isAdaptive: set.api_retry_adaptive ?? shared.isAdaptive,
          }),
        ] as const,
    );
    return {
      showsWarnings: await config.get("api_retry_show_warnings"),
      retriesFor: lookUp(retriesOf(shared), new Map(own)),
    };
  } catch (fault) {
    ports.reportFault(fault, "settings");
    return DEFAULT_CONFIG;
  }
}

function lookUp(
  shared: ProviderRetries,
  own: ReadonlyMap<string, ProviderRetries> = new Map(),
): (provider: string) => ProviderRetries {
  return (provider) => own.get(provider) ?? shared;
}

function retriesOf({ maxDelaySeconds, hasBreaker, isAdaptive }: typeof DEFAULTS): ProviderRetries {
  const changes = { watchdog: WATCHDOG, ...(hasBreaker && { breaker: BREAKER }) };
  const policy = definePolicy(changes, consolePolicy({ maxDelaySeconds }));
  return { policy, longestMs: maxDelaySeconds * 1000, isAdaptive };
}
