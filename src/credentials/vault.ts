import { type Credential, maskSecret, type Secret } from "./credential.ts";
import { HeldBack } from "./held-back.ts";
import { redactValue } from "./redact-value.ts";
import { Redactor } from "./redactor.ts";

export interface KeyWish {
  readonly provider: string;
  /** Default: the first that may be sent there. */
  readonly credential?: string | undefined;
  /** Where the key will be sent. */
  readonly origin: string;
}

/**
 * Holds the secrets and removes them from everything that leaves the process. One per process. Its fields are `#private`: neither
 * a log nor an inspected vault shows a key.
 */
export class Vault {
  readonly #secrets = new Map<string, Secret>();
  readonly #redactor = new Redactor();

  /** A secret that exists under another name is not added again: two names would look like two quotas. */
  add(secret: Secret): void {
    const isKnown = [...this.#secrets.values()].some(
      (other) => other.secret === secret.secret && other.origin === secret.origin && other.provider === secret.provider,
    );
    if (isKnown || this.#secrets.has(secret.id)) return;
    this.#secrets.set(secret.id, secret);
    this.#redactor.add(secret);
  }

  /** In order of preference. */
  credentials(provider?: string): readonly Credential[] {
    return [...this.#secrets.values()]
      .filter((secret) => provider === undefined || secret.provider === provider)
      .map(({ secret, ...rest }) => ({ ...rest, masked: maskSecret(secret) }));
  }

  /** The key itself, for that origin only. */
  secretFor({ provider, credential, origin }: KeyWish): string | undefined {
    const fitting = [...this.#secrets.values()].filter(
      (secret) => secret.provider === provider && secret.origin === origin,
    );
    const found = credential === undefined ? fitting[0] : fitting.find(({ id }) => id === credential);
    return found?.secret;
  }

  /** Any value without its secrets; one without secrets is returned as it is. An arrow function, so that it can be passed on. */
  readonly redact = <T>(value: T): T => redactValue(value, this.#redactor);

  /** For one text that comes in pieces. */
  readonly redactPieces = (): HeldBack => new HeldBack(this.#redactor);
}
