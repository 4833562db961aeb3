/** Where an attempt goes. `credential` is an id, never the secret itself. */
export interface Target {
  readonly provider: string;
  readonly model: string;
  readonly credential: string;
}

/** One entry of a fallback chain: a model with the credentials that may be used for it, in order of preference. */
export interface TargetEntry {
  readonly provider: string;
  readonly model: string;
  /** Credential ids. Default: one unnamed credential. Empty: the entry is unusable and is skipped with a warning. */
  readonly credentials?: readonly string[];
}

/** `provider/model`, the way people write it; the credential only when there is a choice of several. */
export function targetName(target: Target): string {
  const name = target.provider === "" ? target.model : `${target.provider}/${target.model}`;
  return target.credential === "" ? name : `${name} (${target.credential})`;
}

/** Stands where a chain has none. */
export const NO_TARGET: Target = Object.freeze({ provider: "", model: "", credential: "" });
