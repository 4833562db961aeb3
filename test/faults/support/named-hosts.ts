import dns from "node:dns";
import type { LookupFunction } from "node:net";

const lookups = new Map<string, LookupFunction>();
const real = dns.lookup;
let count = 0;

/**
 * A host name that is looked up in this way, for connections that take no function for it: Node asks `dns.lookup` each time. Other
 * names are looked up as ever.
 */
export function hostThrough(lookup: LookupFunction): string {
  count += 1;
  const name = `host-${count}.provider.example`;
  lookups.set(name, lookup);
  if (dns.lookup === real) dns.lookup = ours as typeof dns.lookup;
  return name;
}

function ours(name: string, ...rest: readonly unknown[]): void {
  const lookup = lookups.get(name) ?? real;
  (lookup as (...given: readonly unknown[]) => void)(name, ...rest);
}

/** Looks up every name as ever again. */
export function forgetHosts(): void {
  lookups.clear();
  dns.lookup = real;
}
