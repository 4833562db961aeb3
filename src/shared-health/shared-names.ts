import { createHash } from "node:crypto";
import type { SharedName, Target } from "../kernel/index.ts";

/** Long enough to tell keys apart, too short to be of use to anyone who guesses at one. */
const LENGTH = 12;

/**
 * A target by names that mean the same in every process. Whatever a caller uses as the id of a credential, only its hash leaves the process:
 * some use the key itself.
 */
export function hashedName({ provider, model, credential }: Target): SharedName {
  return { provider, model, credential: credential === "" ? "" : shortHash(credential) };
}

export function shortHash(text: string): string {
  return createHash("sha256").update(`secondwind shared health\0${text}`).digest("hex").slice(0, LENGTH);
}
