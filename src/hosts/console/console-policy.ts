import { definePolicy, type Policy, type Ports } from "../../kernel/index.ts";
import { consolePolicy } from "../../presets/index.ts";
import { CONFIG_KEYS, type ConfigStore } from "../../store/index.ts";

/** A stream that has gone quiet for ever would keep the prompt for ever. As long as the recommended policy waits. */
const WATCHDOG = { firstContentMs: 300_000, idleMs: 60_000 } as const;

/** C9: cut off for longer than the longest usual wait, or nobody would ever notice. Each failed probe doubles it. */
const BREAKER = { failures: 5, cooldownMs: 30_000, maxCooldownMs: 120_000 } as const;

/** What the config table says about the console's retries. */
export interface ConsoleConfig {
  readonly policy: Policy;
  readonly longestMs: number;
  readonly showsWarnings: boolean;
  readonly isAdaptive: boolean;
}

/** C5, C9: read before each exchange, so that `/config` counts from the next one on. */
export async function readConsoleConfig(config: ConfigStore, ports: Ports): Promise<ConsoleConfig> {
  const [maxDelaySeconds, showsWarnings, hasBreaker, isAdaptive] = await readSettings(config, ports);
  const changes = { watchdog: WATCHDOG, ...(hasBreaker && { breaker: BREAKER }) };
  const policy = definePolicy(changes, consolePolicy({ maxDelaySeconds }));
  return { policy, longestMs: maxDelaySeconds * 1000, showsWarnings, isAdaptive };
}

type Settings = readonly [maxDelaySeconds: number, showsWarnings: boolean, hasBreaker: boolean, isAdaptive: boolean];

/** Settings that can't be read are no reason not to talk: then they are the defaults. */
async function readSettings(config: ConfigStore, ports: Ports): Promise<Settings> {
  try {
    return await Promise.all([
      config.get("api_retry_max_delay"),
      config.get("api_retry_show_warnings"),
      config.get("api_circuit_breaker"),
      config.get("api_retry_adaptive"),
    ]);
  } catch (fault) {
    ports.reportFault(fault, "settings");
    return [
      CONFIG_KEYS.api_retry_max_delay.default,
      CONFIG_KEYS.api_retry_show_warnings.default,
      CONFIG_KEYS.api_circuit_breaker.default,
      CONFIG_KEYS.api_retry_adaptive.default,
    ];
  }
}
