import { definePolicy, type Policy } from "../../kernel/index.ts";
import { PRESETS } from "../../presets/index.ts";
import type { Entrant } from "./entrant.ts";
import { PEERS } from "./peers/peers.ts";

const none = (): Entrant => ({ policy: definePolicy({ name: "none", enabled: false }) });

/** The usual settings of other packages. */
export const PEER_NAMES: readonly string[] = Object.keys(PEERS);

export const LAB_POLICY_NAMES: readonly string[] = [...Object.keys(PRESETS), ...PEER_NAMES, "none"];

/** A policy by its name, with the health that it runs on; undefined: unknown name. */
export function labEntrant(name: string): Entrant | undefined {
  if (Object.hasOwn(PRESETS, name)) {
    const policy = (PRESETS as Readonly<Record<string, () => Policy>>)[name]?.();
    return policy && { policy };
  }
  if (Object.hasOwn(PEERS, name)) return PEERS[name]?.();
  return name === "none" ? none() : undefined;
}

/** A policy by its name; undefined: unknown name. */
export function labPolicy(name: string): Policy | undefined {
  return labEntrant(name)?.policy;
}
