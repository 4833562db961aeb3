import type { Ports } from "../../../kernel/index.ts";
import type { CancelMark } from "../../../library/cancel-mark.ts";
import type { Outgoing } from "./transport.ts";

const MANUAL = { redirect: "manual" } as const;

/** Sends a request by a function like `fetch`. */
export function byFetch(
  fetch: typeof globalThis.fetch,
  ports: Pick<Ports, "newAbort">,
): (request: Outgoing) => Promise<Response> {
  return ({ url, init, followsRedirects, cancel, bodySignal }) => {
    const own = cancel.toSignal(ports);
    const signal = bodySignal === undefined ? own : eitherOf(own, bodySignal, cancel);
    return fetch(url.href, { ...init, signal, ...(followsRedirects && MANUAL) });
  };
}

/** `AbortSignal.any` holds its sources weakly, so a caller's signal that lives as long as the program collects no listeners. */
function eitherOf(own: AbortSignal, callers: AbortSignal, cancel: CancelMark): AbortSignal {
  if (own instanceof AbortSignal && callers instanceof AbortSignal && "any" in AbortSignal)
    return AbortSignal.any([own, callers]);
  // Of another implementation, or in an older browser.
  callers.addEventListener("abort", () => cancel.abort(callers.reason), { once: true });
  return own;
}
