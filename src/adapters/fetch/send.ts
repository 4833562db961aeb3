import { dropKeys } from "./keys.ts";
import type { Incoming, Outgoing } from "./transport/index.ts";

const MOST_REDIRECTS = 5;

/**
 * Sends a request once. Redirects are followed here: `fetch` itself would take `x-api-key` along to another origin. What keeps
 * method and body is followed, and GET whatever its redirect.
 */
export async function send<T extends Incoming>(
  transport: (request: Outgoing) => Promise<T>,
  request: Outgoing,
): Promise<T> {
  let sent = request;
  for (let hop = 0; ; hop += 1) {
    const response = await transport(sent);
    if (!request.followsRedirects) return response;
    // Each hop is a request of its own, so the platform does not know.
    if (hop > 0) Reflect.defineProperty(response, "redirected", { value: true });
    const { url: at } = sent;
    if (response.type === "opaqueredirect") throw new Error(`${at.origin} redirects, which a browser does not show`);
    const next = hop < MOST_REDIRECTS ? redirectOf(response, sent.method) : undefined;
    if (next === undefined) return response;
    void response.body?.cancel().catch(() => undefined);
    const url = new URL(next, at);
    sent = url.origin === at.origin ? { ...sent, url } : withoutKeys({ ...sent, url });
  }
}

function redirectOf({ status, headers }: Incoming, method: string): string | undefined {
  // Most answers are none: their headers are not searched.
  if (status < 300 || status > 399) return undefined;
  const location = headers.get("location");
  if (location === null) return undefined;
  const isKept = status === 307 || status === 308;
  const isRead = method === "GET" || method === "HEAD";
  return isKept || (isRead && status >= 301 && status <= 303) ? location : undefined;
}

function withoutKeys(request: Outgoing): Outgoing {
  const headers = new Headers(request.headers);
  dropKeys(request.url, headers);
  return { ...request, headers, init: { ...request.init, headers } };
}
