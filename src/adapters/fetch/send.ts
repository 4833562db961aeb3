import { dropKeys } from "./keys.ts";

/** A request as it goes out. */
export interface Sending {
  readonly url: URL;
  /** With `redirect: "manual"` if redirects are followed here. */
  readonly init: RequestInit;
  readonly followsRedirects: boolean;
}

const MOST_REDIRECTS = 5;

/**
 * Sends a request once. Redirects are followed here: `fetch` itself would take `x-api-key` along to another origin. What keeps
 * method and body is followed, and GET whatever its redirect.
 */
export async function send(
  fetch: typeof globalThis.fetch,
  { url, init, followsRedirects }: Sending,
): Promise<Response> {
  let at = url;
  let sent = init;
  for (let hop = 0; ; hop += 1) {
    const response = await fetch(at.href, sent);
    if (!followsRedirects) return response;
    if (response.type === "opaqueredirect") throw new Error(`${at.origin} redirects, which a browser does not show`);
    const next = hop < MOST_REDIRECTS ? redirectOf(response, sent) : undefined;
    if (next === undefined) return response;
    void response.body?.cancel().catch(() => undefined);
    const to = new URL(next, at);
    if (to.origin !== at.origin) sent = withoutKeys(to, sent);
    at = to;
  }
}

function redirectOf({ status, headers }: Response, { method = "GET" }: RequestInit): string | undefined {
  const location = headers.get("location");
  if (location === null) return undefined;
  const isKept = status === 307 || status === 308;
  const isRead = method === "GET" || method === "HEAD";
  return isKept || (isRead && status >= 301 && status <= 303) ? location : undefined;
}

function withoutKeys(url: URL, init: RequestInit): RequestInit {
  const headers = new Headers(init.headers);
  dropKeys(url, headers);
  return { ...init, headers };
}
