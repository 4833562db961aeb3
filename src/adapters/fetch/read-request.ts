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

/** What a `Request` has: no properties of its own, so a copy would lack them. */
const MEMBERS =
  "method headers body signal redirect credentials cache mode referrer referrerPolicy integrity keepalive duplex".split(
    " ",
  );

/** Reads what `fetch` was called with. The body of a `Request` is read into memory, so that it can be sent again. */
export function readRequest(
  input: string | URL | Request,
  init?: RequestInit | null,
): PlainRequest | Promise<PlainRequest> {
  if (typeof input === "object" && input !== null && "url" in input) return readRequestObject(input, init ?? {});
  return plainRequest(String(input), init ? (isPlain(init) ? init : membersOf(init)) : {});
}

async function readRequestObject(request: Request, init: RequestInit): Promise<PlainRequest> {
  const changes = membersOf(init);
  const body = changes.body ?? (await bytesOf(request));
  return plainRequest(request.url, { ...membersOf(request), ...changes, body });
}

/** Found out by reading, because a `Request` of Firefox does not show its body. */
async function bytesOf(request: Request): Promise<Uint8Array<ArrayBuffer> | null> {
  // A view, because in a context of `node:vm`, as Jest has it, the buffer is of another realm.
  const bytes = new Uint8Array(await request.arrayBuffer());
  return bytes.length === 0 ? null : bytes;
}

/** Not so where a `Request` is passed as the second argument. */
function isPlain(init: RequestInit): boolean {
  const prototype: unknown = Object.getPrototypeOf(init);
  return prototype === Object.prototype || prototype === null;
}

/** What is undefined counts as not given. */
function membersOf(init: RequestInit | Request): RequestInit {
  const members: Record<string, unknown> = {};
  for (const name of [...MEMBERS, ...Object.keys(init)]) {
    const value: unknown = Reflect.get(init, name);
    // A `Request` of a page may be of this mode, which no other may have.
    if (value !== undefined && value !== "navigate") members[name] = value;
  }
  return members;
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

function textOf(body: RequestInit["body"]): string | undefined {
  if (body === null || body === undefined) return "";
  if (typeof body === "string") return body;
  if (ArrayBuffer.isView(body) || body instanceof ArrayBuffer) return new TextDecoder().decode(body);
  return undefined;
}

/** Everything that `fetch` takes can be read again but for streams: a `ReadableStream`, a Node stream, an async iterable. */
function isReplayable(body: RequestInit["body"]): boolean {
  if (typeof body !== "object" || body === null) return true;
  if (body instanceof Blob || body instanceof FormData || body instanceof URLSearchParams) return true;
  return !(Symbol.asyncIterator in body || "getReader" in body || "pipe" in body);
}
