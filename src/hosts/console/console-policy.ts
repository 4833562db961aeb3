import { WATCHDOG } from "../../assembly/index.ts";
import { definePolicy, type Policy, type Ports } from "../../kernel/index.ts";
import { consolePolicy } from "../../presets/index.ts";
import { CONFIG_KEYS, type ConfigStore } from "../../store/index.ts";

/** C9: cut off for longer than the longest usual wait, or it would never show. Each failed probe doubles it. */
const BREAKER = { failures: 5, cooldownMs: 30_000, maxCooldownMs: 120_000 } as const;

/** The console's retry settings in the config table. */
export interface ConsoleConfig {
  readonly policy: Policy;
  readonly longestMs: number;
  readonly showsWarnings: boolean;
  readonly isAdaptive: boolean;
}

const DEFAULTS = {
  maxDelaySeconds: CONFIG_KEYS.api_retry_max_delay.default,
  showsWarnings: CONFIG_KEYS.api_retry_show_warnings.default,
  hasBreaker: CONFIG_KEYS.api_circuit_breaker.default,
  isAdaptive: CONFIG_KEYS.api_retry_adaptive.default,
};

export const DEFAULT_CONFIG = configOf(DEFAULTS);

/** C5, C9: the settings now. If they can't be read, the defaults apply. */
export async function readConsoleConfig(config: ConfigStore, ports: Ports): Promise<ConsoleConfig> {
  try {
    return configOf({
      maxDelaySeconds: await config.get("api_retry_max_delay"),
      showsWarnings: await config.get("api_retry_show_warnings"),
      hasBreaker: await config.get("api_circuit_breaker"),
      isAdaptive: await config.get("api_retry_adaptive"),
    });
  } catch (fault) {
    ports.reportFault(fault, "settings");
    return DEFAULT_CONFIG;
  }
}

function configOf({ maxDelaySeconds, showsWarnings, hasBreaker, isAdaptive }: typeof DEFAULTS): ConsoleConfig {
  const changes = { watchdog: WATCHDOG, ...(hasBreaker && { breaker: BREAKER }) };
  const policy = definePolicy(changes, consolePolicy({ maxDelaySeconds }));
  return { policy, longestMs: maxDelaySeconds * 1000, showsWarnings, isAdaptive };
}
