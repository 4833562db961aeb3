import type { MemoryHealth, SharedName, Target } from "../kernel/index.ts";
import { parseRedisUrl } from "../shared-health/redis-url.ts";
import type { FingerprintOf } from "../store/index.ts";
import type { Redact } from "../wire/index.ts";
import type { Assembly } from "./open-assembly.ts";

/** Where health is shared. */
export interface Redis {
  readonly url: string;
  readonly prefix: string | undefined;
  readonly say: (line: string) => void;
}

const URL_VARIABLE = "REDIS_URL";
const PREFIX_VARIABLE = "SECONDWIND_REDIS_PREFIX";

/** Undefined: the environment names none. Throws `InvalidInput` for what is no URL, without the URL in it. */
export function redisOf(
  env: Readonly<Record<string, string | undefined>>,
  say: (line: string) => void = (line) => void process.stderr.write(`secondwind: ${line}\n`),
): Redis | undefined {
  const url = env[URL_VARIABLE];
  if (url === undefined || url === "") return undefined;
  parseRedisUrl(URL_VARIABLE, url);
  return { url, prefix: env[PREFIX_VARIABLE] || undefined, say };
}

interface Sharing {
  readonly redis: Redis;
  readonly health: MemoryHealth;
  readonly fingerprints: ((salt: string) => FingerprintOf) | undefined;
}

/** The same assembly with a health that it shares with other processes. */
export async function sharedAssembly(assembly: Assembly, { redis, health, fingerprints }: Sharing): Promise<Assembly> {
  // Most processes share nothing: they need not load it.
  const { shareHealth, shortHash } = await import("../shared-health/index.ts");
  const { ports, redact } = assembly;
  const nameOf = sharedNames(fingerprints?.(SALT), redact, shortHash);
  const fields = { urlField: URL_VARIABLE, prefixField: PREFIX_VARIABLE };
  const shared = shareHealth({ ...redis, ...fields, health, ports, nameOf, say: (line) => redis.say(redact(line)) });
  return {
    ...assembly,
    health: shared.health,
    redisStatus: () => shared.status,
    close: async () => {
      shared.close();
      await assembly.close();
    },
  };
}

/** The same in all processes, or their names for one key would differ. */
const SALT = "secondwind shared health";

/**
 * Keys of two machines may have the same name, and one key two: what counts is the key itself and its address, as a fingerprint. What has
 * none (an endpoint of the gateway's file) counts by its name.
 */
export function sharedNames(
  fingerprintOf: FingerprintOf = () => undefined,
  redact: Redact,
  hash: (text: string) => string,
): (target: Target) => SharedName {
  return (target) => {
    const { provider, model, credential } = target;
    const address = fingerprintOf(target, "model");
    return {
      provider: redact(address === undefined ? provider : `${provider}@${address}`),
      model: redact(model),
      credential: credential === "" ? "" : (fingerprintOf(target, "credential") ?? hash(credential)),
    };
  };
}
