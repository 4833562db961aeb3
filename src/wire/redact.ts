/** Any value without the secrets in it; what has none comes back as it is. */
export type Redact = <T>(value: T) => T;
