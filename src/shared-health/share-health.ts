import { randomBytes } from "node:crypto";
import type { MemoryHealth, Ports, SharedName, Target } from "../kernel/index.ts";
import { SharedHealth } from "../kernel/shared/shared-health.ts";
import { type LinkStatus, RedisLink } from "./redis-link.ts";
import { checkPrefix, parseRedisUrl } from "./redis-url.ts";
import { hashedName } from "./shared-names.ts";

export interface ShareOptions {
  /** The health of this process. */
  readonly health: MemoryHealth;
  readonly url: string;
  /** What the URL is called in an error. */
  readonly urlField: string;
  readonly prefix?: string | undefined;
  readonly prefixField: string;
  readonly ports: Pick<Ports, "now" | "wallNow" | "random" | "reportFault">;
  /** Default: the names of the target, the credential hashed. */
  readonly nameOf?: (target: Target) => SharedName;
  readonly say: (line: string) => void;
}

export interface ShareOfHealth {
  readonly health: SharedHealth;
  readonly status: LinkStatus;
  close(): void;
}

/** Shares the health of this process with all others on the same Redis. Returns at once; an invalid URL or prefix throws `InvalidInput`. */
export function shareHealth(options: ShareOptions): ShareOfHealth {
  const { url, urlField, prefixField, ports, nameOf = hashedName, say } = options;
  const place = parseRedisUrl(urlField, url);
  const prefix = checkPrefix(prefixField, options.prefix);
  const id = randomBytes(6).toString("hex");
  const health = new SharedHealth({ health: options.health, id, now: ports.now, nameOf, phase: ports.random() });
  const link = new RedisLink({ place, prefix, id, health, ports, say });
  return {
    health,
    get status() {
      return link.status;
    },
    close: () => link.close(),
  };
}
