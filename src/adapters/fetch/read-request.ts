/** A request as it can be sent again. */
export interface PlainRequest {
  readonly url: string;
  readonly method: string;
  /** The caller's own: to be copied before it is changed. */
  readonly headers: Headers;
  readonly body: RequestInit["body"];
  /** The body's text, where that is known without reading it. */
  readonly text: string | undefined;
  /** False: the body is a stream that can be read only once. */
  readonly isReplayable: boolean;
  readonly signal: AbortSignal | undefined;
  /** Whatever else the caller has set: credentials, a dispatcher, a cache mode. */
  readonly init: RequestInit;
}

/** Reads what `fetch` was called with. The body of a `Request` is read into memory, so that it can be sent again. */
export function readRequest(
  input: string | URL | Request,
  init: RequestInit = {},
): PlainRequest | Promise<PlainRequest> {
  if (typeof input !== "string" && !(input instanceof URL)) return readRequestObject(input, init);
  return plainRequest(String(input), init);
}

function plainRequest(url: string, init: RequestInit): PlainRequest {
  const { method = "GET", body = null, signal } = init;
  const text = textOf(body);
  return {
    url,
    method: method.toUpperCase(),
    headers: init.headers instanceof Headers ? init.headers : new Headers(init.headers),
    body,
    text,
    isReplayable: text !== undefined || isReplayable(body),
    signal: signal ?? undefined,
    init,
  };
}

async function readRequestObject(request: Request, init: RequestInit): Promise<PlainRequest> {
  const { method, headers, credentials, cache, mode, redirect, referrer, referrerPolicy, integrity, keepalive } =
    request;
  const own: RequestInit = {
    ...{ method, headers, credentials, cache, redirect, referrer, referrerPolicy, integrity, keepalive },
    // A `Request` of a page may be of this mode, which no other may have.
    ...(mode !== "navigate" && { mode }),
    signal: request.signal,
    body: request.body === null || init.body !== undefined ? null : await request.arrayBuffer(),
  };
  return plainRequest(request.url, { ...own, ...init });
}

function textOf(body: RequestInit["body"]): string | undefined {
  if (body === null || body === undefined) return "";
  if (typeof body === "string") return body;
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) return new TextDecoder().decode(body);
  return undefined;
}

/** Everything that `fetch` takes can be read again but for streams: a `ReadableStream`, a Node stream, an async iterable. */
function isReplayable(body: RequestInit["body"]): boolean {
  if (typeof body !== "object" || body === null) return true;
  if (ArrayBuffer.isView(body) || body instanceof Blob || body instanceof FormData || body instanceof URLSearchParams)
    return true;
  return !(Symbol.asyncIterator in body || "getReader" in body || "pipe" in body);
}
