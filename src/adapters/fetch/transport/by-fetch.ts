import type { Ports } from "../../../kernel/index.ts";
import type { Outgoing } from "./transport.ts";

const MANUAL = { redirect: "manual" } as const;

/** Sends a request by a function like `fetch`. */
export function byFetch(
  fetch: typeof globalThis.fetch,
  ports: Pick<Ports, "newAbort">,
): (request: Outgoing) => Promise<Response> {
  return ({ url, init, followsRedirects, cancel }) =>
    fetch(url.href, { ...init, signal: cancel.toSignal(ports), ...(followsRedirects && MANUAL) });
}
