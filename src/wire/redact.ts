/** Any value without the secrets in it; what has none comes back as it is. */
export type Redact = <T>(value: T) => T;

/** The same for a text that comes in pieces: what may be the beginning of a secret is held back until more has come. */
export interface PieceRedactor {
  /** The text that is safe to emit by now, perhaps none. */
  push(piece: string): string;
  /** The rest: nothing more comes. */
  flush(): string;
}
