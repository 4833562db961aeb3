import { type Credential, maskSecret, type Secret } from "./credential.ts";
import { HeldBack } from "./held-back.ts";
import { redactValue } from "./redact-value.ts";
import { Redactor } from "./redactor.ts";

export interface KeyWish {
  readonly provider: string;
  /** Left out: the first that may go there. */
  readonly credential?: string | undefined;
  /** Where the key is about to be sent. */
  readonly origin: string;
}

/**
 * Holds the secrets, and takes them out of whatever leaves the process. There is one for a process. Its fields are private to
 * the language itself: neither a log nor a debugger's printout of it has a key in it.
 */
export class Vault {
  readonly #secrets = new Map<string, Secret>();
  readonly #redactor = new Redactor();

  /** A secret that is there already under another name is not added again: two names would look like two quotas. */
  add(secret: Secret): void {
    const isThere = [...this.#secrets.values()].some(
      (other) => other.secret === secret.secret && other.origin === secret.origin && other.provider === secret.provider,
    );
    if (isThere || this.#secrets.has(secret.id)) return;
    this.#secrets.set(secret.id, secret);
    this.#redactor.add(secret);
  }

  /** In order of preference. */
  credentials(provider?: string): readonly Credential[] {
    return [...this.#secrets.values()]
      .filter((secret) => provider === undefined || secret.provider === provider)
      .map(({ secret, ...rest }) => ({ ...rest, masked: maskSecret(secret) }));
  }

  /** The key itself, for that origin and no other. */
  secretFor({ provider, credential, origin }: KeyWish): string | undefined {
    const fitting = [...this.#secrets.values()].filter(
      (secret) => secret.provider === provider && secret.origin === origin,
    );
    const found = credential === undefined ? fitting[0] : fitting.find(({ id }) => id === credential);
    return found?.secret;
  }

  /** Any text or value without the secrets in it; what has none comes back as it is. An arrow, so that it can be handed on. */
  readonly redact = <T>(value: T): T => redactValue(value, this.#redactor);

  /** For one text that comes in pieces. */
  readonly redactPieces = (): HeldBack => new HeldBack(this.#redactor);
}
