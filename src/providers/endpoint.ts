/** How an endpoint is spoken to. */
export type Speech = "anthropic" | "openai-responses" | "openai-chat" | "google";

/** One place that models can be asked at, as it is configured. */
export interface Endpoint {
  /** As in `provider/model`. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  readonly speech: Speech;
  /** With its version, without a slash at the end. */
  readonly baseUrl: string;
  /** The variables that may hold its keys, the first that is set counts. */
  readonly keyVariables: readonly string[];
  /** False: a server of one's own, which may do without. */
  readonly needsKey: boolean;
  /** Some that are known to be there. Any other name works as well. */
  readonly models: readonly string[];
  readonly embeddings: readonly string[];
}

export function originOf({ baseUrl }: Pick<Endpoint, "baseUrl">): string {
  return new URL(baseUrl).origin;
}
