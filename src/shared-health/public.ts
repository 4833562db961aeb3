/** `secondwind/redis`: health that several processes share. */
import { type ClearableHealth, checkObject, type Health, InvalidInput, MemoryHealth } from "../kernel/index.ts";
import { systemPorts } from "../system/index.ts";
import type { LinkStatus } from "./redis-link.ts";
import { shareHealth } from "./share-health.ts";

export type { ClearableHealth, Health } from "../kernel/index.ts";
export type { LinkStatus } from "./redis-link.ts";

export interface SharedHealthOptions {
  /** `redis://` or `rediss://` (TLS), with user, password, port and database as needed. */
  readonly url: string;
  /** What all keys in Redis begin with. Processes share health if their prefix is the same. Default: `secondwind`. */
  readonly prefix?: string;
  /** Called with one line when Redis goes away and one when it is back. Default: a line on stderr. */
  readonly onChange?: (line: string, status: LinkStatus) => void;
}

/** Pass it as `health` to every wrapper of the process. */
export interface SharedHealthHandle extends Health, ClearableHealth {
  /** What the connection does. */
  readonly status: LinkStatus;
  /** Ends the connection. The health goes on, for this process alone. */
  close(): void;
}

/** Health that all processes on the same Redis share. Never throws later, and no call waits for Redis. */
export function sharedHealth(options: SharedHealthOptions): SharedHealthHandle {
  const { url, prefix, onChange } = checkObject("options", options, ["url", "prefix", "onChange"]);
  if (typeof url !== "string") throw new InvalidInput("options.url", typeof url, "a string");
  if (prefix !== undefined && typeof prefix !== "string") throw new InvalidInput("options.prefix", prefix, "a string");
  if (onChange !== undefined && typeof onChange !== "function") {
    throw new InvalidInput("options.onChange", onChange, "a function");
  }
  const ports = systemPorts();
  const shared = shareHealth({
    ...{ health: new MemoryHealth(), url, urlField: "options.url", prefix, prefixField: "options.prefix", ports },
    say: (line) => {
      if (options.onChange === undefined) return void process.stderr.write(`secondwind: ${line}\n`);
      try {
        options.onChange(line, shared.status);
      } catch (fault) {
        ports.reportFault(fault, "onChange");
      }
    },
  });
  return Object.defineProperties(shared.health, {
    status: { get: () => shared.status, enumerable: true },
    close: { value: () => shared.close() },
  }) as unknown as SharedHealthHandle;
}
