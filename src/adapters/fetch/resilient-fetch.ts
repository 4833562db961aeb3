import type { Listener, Policy, PolicyInput } from "../../kernel/index.ts";
import { FetchDoor } from "./fetch-door.ts";
import { type FetchOptions, OURS } from "./options.ts";

/** A `fetch` that retries, waits and falls back. All of its calls share breakers, cooldowns and the retry budget. */
export interface ResilientFetch {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Receives the events of every generation from now on. Returns a function that unsubscribes. */
  subscribe(listener: Listener): () => void;
  readonly policy: Policy;
}

/**
 * Makes a `fetch` for an SDK, or for plain code.
 *
 * ```ts
 * const client = new OpenAI({ fetch: resilientFetch(), maxRetries: 0 });
 * ```
 */
export function resilientFetch(policy?: Policy | PolicyInput, options: FetchOptions = {}): ResilientFetch {
  const door = new FetchDoor(policy, options);
  const own = Object.assign((input: string | URL | Request, init?: RequestInit) => door.fetch(input, init), {
    policy: door.policy,
    subscribe: door.subscribe,
  });
  OURS.add(own);
  return own;
}
