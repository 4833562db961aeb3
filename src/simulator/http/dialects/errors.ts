/** The HTTP errors that a simulated provider returns, with their usual status. */
export const USUAL_STATUS = {
  "rate-limited": 429,
  quota: 429,
  overloaded: 503,
  down: 503,
  "server-error": 500,
  "bad-gateway": 502,
  timeout: 504,
  overflow: 400,
  unauthorized: 401,
  forbidden: 403,
  "not-found": 404,
  "bad-request": 400,
  "too-large": 413,
} as const;

export type ErrorName = keyof typeof USUAL_STATUS;

/** How long to wait: in the provider's usual form, or sent exactly as given (faults 46 to 51). */
export type RetryHint =
  | { readonly type: "wait"; readonly ms: number }
  | { readonly type: "raw"; readonly headers: Readonly<Record<string, string>>; readonly retryDelay: string };

/** An error before a dialect gives it a status and a body. */
export interface ProviderError {
  readonly name: ErrorName;
  readonly model: string;
  readonly hint?: RetryHint | undefined;
  /** Replaces the provider's usual message. */
  readonly message?: string | undefined;
}

export type ErrorMessages = Readonly<Record<ErrorName, string>>;

/** The message of an error. `MODEL` in a provider's usual message stands for the model's name. */
export function messageOf(messages: ErrorMessages, { name, model, message }: ProviderError): string {
  return message ?? messages[name].replace("MODEL", model);
}
