import type { Outgoing } from "../transport.ts";
import type { Ways } from "./learn-ways.ts";

/** What a dispatcher is called with. */
export interface DispatchOptions {
  readonly origin: string;
  readonly path: string;
  readonly method: "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  readonly maxRedirections: 0;
}

/** What the caller may set besides: anything else is left to `fetch`. */
const KNOWN: ReadonlySet<string> = new Set(["method", "headers", "body", "signal", "redirect"]);
/** `fetch` does more with these than pass them on, or an object can't hold them. */
const OF_FETCH: ReadonlySet<string> = new Set(
  "host content-length range if-match if-none-match if-modified-since if-unmodified-since if-range set-cookie __proto__".split(
    " ",
  ),
);
/** Ports that `fetch` refuses, besides those below 1024. The last one is the highest. */
const BAD_PORTS: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/**
 * The request as `fetch` would give it to its dispatcher. Undefined: it asks for something that is left to `fetch`. The names of headers are
 * in lower case and in order, which means the same.
 */
export function toDispatch(request: Outgoing, { defaults, textType }: Ways): DispatchOptions | undefined {
  const { url, method, body } = request;
  if (method !== "POST" || !isPlainUrl(url) || !isPlainInit(request)) return undefined;
  const sent = bodyOf(body);
  if (sent === undefined) return undefined;
  const headers: Record<string, string> = {};
  for (const [name, value] of request.headers) {
    if (OF_FETCH.has(name)) return undefined;
    headers[name] = value;
  }
  for (const name in defaults) headers[name] ??= defaults[name] as string;
  if (typeof body === "string") headers["content-type"] ??= textType;
  headers["content-length"] = String(lengthOf(sent));
  const { origin, pathname, search } = url;
  return { origin, path: pathname + search, method, headers, body: sent, maxRedirections: 0 };
}

function isPlainInit({ init, followsRedirects }: Outgoing): boolean {
  for (const name in init) if (!KNOWN.has(name) && init[name as keyof RequestInit] !== undefined) return false;
  return followsRedirects || init.redirect === "manual";
}

function isPlainUrl({ protocol, username, password, port, search, href }: URL): boolean {
  if (username !== "" || password !== "" || (protocol !== "https:" && protocol !== "http:")) return false;
  // An empty query is not in `search`.
  if (search === "" && href.includes("?")) return false;
  const number = Number(port);
  return port === "" || (number >= 1024 && !BAD_PORTS.has(number));
}

/** Undefined: what only `fetch` can send. */
function bodyOf(body: Outgoing["body"]): string | Uint8Array | null | undefined {
  if (body === null || body === undefined) return null;
  if (typeof body === "string") return body;
  // Copies, as `fetch` makes them: the caller may use its buffer for something else while the request waits for a connection.
  if (body instanceof ArrayBuffer) return new Uint8Array(body.slice(0));
  return body instanceof Uint8Array && body.buffer instanceof ArrayBuffer ? new Uint8Array(body) : undefined;
}

function lengthOf(body: string | Uint8Array | null): number {
  if (body === null) return 0;
  return typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
}
