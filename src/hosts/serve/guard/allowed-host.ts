import { isIP } from "node:net";

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);
const EVERY_ADDRESS: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);
/** A name or an IPv4 address, or an IPv6 address in brackets; then a port, if any. */
const HOST = /^([a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::(\d{1,5}))?$/;

export interface HostRule {
  /** The address that the server listens on. */
  readonly bound: string;
  /** Names from `--allow-host`. */
  readonly extra: readonly string[];
}

/** The address of this machine that only this machine can reach. */
export function isLoopback(address: string): boolean {
  return address === "localhost" || address === "::1" || /^127(?:\.\d{1,3}){3}$/.test(address);
}

/**
 * Whether a request may have this `Host`. A site can point its own name at 127.0.0.1 (DNS rebinding): the browser then takes our
 * answers for that site's own. It can't forge `Host`, which has the site's name. The port may be any: tunnels change it.
 */
export function isAllowedHost(header: string | undefined, { bound, extra }: HostRule): boolean {
  const name = HOST.exec(header?.toLowerCase() ?? "")?.[1];
  if (name === undefined) return false;
  if (LOOPBACK_NAMES.has(name) || extra.includes(name)) return true;
  const address = name.startsWith("[") ? name.slice(1, -1) : name;
  // Only a name can be pointed elsewhere. Through which of its addresses a machine is reached is not known beforehand.
  return EVERY_ADDRESS.has(bound) ? isIP(address) !== 0 : address === bound.toLowerCase();
}
