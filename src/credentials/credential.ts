/** A key without its secret: safe to show, to log and to store. */
export interface Credential {
  /**
   * `openai#1` from the key file, never reused; `openai#env1` from the environment, a position in a variable, where another key
   * may be tomorrow. Reveals nothing about the secret.
   */
  readonly id: string;
  readonly provider: string;
  /** The only origin it may be sent to: `https://api.openai.com`. */
  readonly origin: string;
  /** Where it was found: the name of a variable, or the path of the key file. */
  readonly from: string;
  /** `sk-…wxyz` */
  readonly masked: string;
}

export interface Secret extends Omit<Credential, "masked"> {
  readonly secret: string;
}

const FULLY_HIDDEN_BELOW = 20;

/** Long enough to distinguish keys, too short to be of use. */
export function maskSecret(secret: string): string {
  if (secret.length < FULLY_HIDDEN_BELOW) return "…";
  return `${secret.slice(0, 3)}…${secret.slice(-4)}`;
}
