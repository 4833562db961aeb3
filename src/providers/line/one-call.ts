import { isKeepAlive } from "./keep-alive.ts";

export type Fetch = typeof globalThis.fetch;

/** What one call to an endpoint is made with. */
export interface LineOptions {
  /** Whose key it is: no other origin ever gets it. */
  readonly origin: string;
  readonly fetch: Fetch;
  /** A stream of events, or one JSON value. */
  readonly expects: "events" | "json";
  readonly onKeepAlive?: () => void;
}

/** Where the providers have their keys. `fetch` itself takes only the first away when it follows a redirect. */
const KEY_HEADERS = ["authorization", "x-api-key", "x-goog-api-key", "api-key", "cookie"];
const MOST_REDIRECTS = 5;
const MOST_ERROR_CHARS = 65_536;

/**
 * A `fetch` for exactly one call. Some SDKs would go on by themselves (Google's, after a `CONTINUATION`): what is tried again is
 * decided in one place only, so a second call is refused.
 */
export function oneCall(options: LineOptions): Fetch {
  let isUsed = false;
  return async (input, init) => {
    if (isUsed) throw new Error("A provider makes one call for one request; a second one was refused");
    isUsed = true;
    const response = await follow(new URL(input instanceof Request ? input.url : input), init ?? {}, options);
    if (!response.ok || options.expects === "json") return response;
    await refusePage(response);
    return options.onKeepAlive === undefined ? response : tapped(response, options.onKeepAlive);
  };
}

/** Follows redirects that keep method and body. On another origin the key stays behind. */
async function follow(first: URL, init: RequestInit, { origin, fetch }: LineOptions): Promise<Response> {
  let url = first;
  let headers = new Headers(init.headers);
  for (let hop = 0; ; hop += 1) {
    if (url.origin !== origin) headers = withoutKeys(headers);
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    const location = response.headers.get("location");
    const isRedirect = (response.status === 307 || response.status === 308) && location !== null;
    if (!isRedirect || hop >= MOST_REDIRECTS) return response;
    await response.body?.cancel();
    url = new URL(location, url);
  }
}

function withoutKeys(headers: Headers): Headers {
  const kept = new Headers(headers);
  for (const name of KEY_HEADERS) kept.delete(name);
  return kept;
}

/** HTTP 200 with a page or a JSON value is no stream: the SDKs take it for an answer without content. */
async function refusePage(response: Response): Promise<void> {
  const type = response.headers.get("content-type") ?? "";
  if (!/^(?:application\/json|text\/html)\b/i.test(type)) return;
  const responseBody = (await response.text()).slice(0, MOST_ERROR_CHARS);
  const what = /json/i.test(type) ? "a JSON value" : "an HTML page";
  // A body that names its error is to be judged by that.
  const code = /^\s*\{[\s\S]*"error"/.test(responseBody) ? {} : { code: "stream_broken" };
  const { headers } = response;
  const message = `HTTP ${response.status} with ${what} instead of a stream: ${responseBody}`;
  throw Object.assign(new Error(message), { ...code, headers, responseBody });
}

const CR = 0x0d;
const LF = 0x0a;

/** Tells of keep-alives as they come. */
function tapped(response: Response, onKeepAlive: () => void): Response {
  let last = 0;
  const tap = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      if (isKeepAlive(chunk)) onKeepAlive();
      last = chunk.at(-1) ?? last;
      controller.enqueue(chunk);
    },
    flush(controller) {
      // After a lone CR the SDK's parser waits for an LF, and would drop the last event.
      if (last === CR) controller.enqueue(Uint8Array.of(LF));
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body?.pipeThrough(tap) ?? null, { status, statusText, headers });
}
