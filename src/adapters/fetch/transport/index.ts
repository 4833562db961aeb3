import type { Ports } from "../../../kernel/index.ts";
import { byFetch } from "./by-fetch.ts";
import { byPlatform } from "./by-platform.ts";
import type { Incoming, Outgoing } from "./transport.ts";

export type { HeaderList, Incoming, Outgoing } from "./transport.ts";

/** How requests are sent. */
export interface Transports {
  /** Generations and queries: their answers are read and judged here. */
  readonly judged: (request: Outgoing) => Promise<Incoming>;
  /** All other calls: the response is the caller's. */
  readonly other: (request: Outgoing) => Promise<Response>;
}

/** `own`: the caller's function. Undefined: the global `fetch`, which `current` looks up. */
export function transportsOf(
  own: typeof globalThis.fetch | undefined,
  current: () => typeof globalThis.fetch,
  ports: Pick<Ports, "newAbort">,
): Transports {
  const other = byFetch(own ?? ((input, init) => current()(input, init)), ports);
  return { other, judged: own === undefined ? byPlatform(current, other) : other };
}
