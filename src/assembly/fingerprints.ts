import { originOf, type Providers } from "../providers/index.ts";
import type { FingerprintOf } from "../store/index.ts";

/** Long enough to notice a changed key, too short to confirm a guess at it. */
const LENGTH = 8;

/** Distinguishes keys that have the same name one after the other. The fingerprint may be stored. */
export function fingerprints({
  endpoints,
  vault,
}: Pick<Providers, "endpoints" | "vault">): (salt: string) => FingerprintOf {
  const origins = new Map(endpoints.map((endpoint) => [endpoint.name, originOf(endpoint)]));
  return (salt) =>
    ({ provider, credential }, scope) => {
      const origin = origins.get(provider);
      if (origin === undefined) return undefined;
      // A model cools down for every key; a custom server may need none.
      const isKeyless = scope === "model" || credential === "";
      const secret = isKeyless ? "" : vault.secretFor({ provider, credential, origin });
      if (secret === undefined) return undefined;
      // Only now: most processes never have a cooldown.
      const { createHmac } = process.getBuiltinModule("node:crypto");
      return createHmac("sha256", salt)
        .update(JSON.stringify([origin, secret]))
        .digest("hex")
        .slice(0, LENGTH);
    };
}
