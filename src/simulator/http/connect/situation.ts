import type { LookupFunction } from "node:net";

/** A place where connecting fails in one certain way. */
export interface Situation {
  /** Where to send a request. */
  readonly url: string;
  /** How names are to be resolved, for clients that can be told (`http.request`, undici's `connect`). */
  readonly lookup?: LookupFunction;
  /** What to trust so that nothing but the fault is wrong. */
  readonly ca?: string;
  close(): Promise<void>;
}

export const HOST = "127.0.0.1";
