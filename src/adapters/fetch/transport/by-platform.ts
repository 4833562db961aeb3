import { ControllerExchange, LegacyExchange } from "./exchange.ts";
import { isPlatformFetch } from "./is-platform-fetch.ts";
import { learnWays, type Ways } from "./learn-ways.ts";
import { type DispatchOptions, toDispatch } from "./to-dispatch.ts";
import type { Incoming, Outgoing, Transport } from "./transport.ts";

interface Dispatcher {
  dispatch(options: DispatchOptions, handler: object): unknown;
}

/** Where undici has what all of its copies in a process share. */
const DISPATCHER: Readonly<Record<Ways["style"], symbol>> = {
  legacy: Symbol.for("undici.globalDispatcher.1"),
  controller: Symbol.for("undici.globalDispatcher.2"),
};
const ORIGIN = Symbol.for("undici.globalOrigin.1");
const MOST_REMEMBERED = 1000;

/** The `fetch` that was looked at last, and what was learned of it for each host. Undefined: not yet, or it is not to be replaced. */
let judged: { readonly fetch: unknown; readonly isPlatform: boolean } = { fetch: undefined, isPlatform: false };
const ways = new Map<string, Ways | undefined>();

/**
 * Sends requests as the global `fetch` would. Where that is Node's own, most requests go straight to the dispatcher that it uses itself:
 * the same connections, proxies and mocks, without a `Request`, a `Response` and a stream for each. Everything else goes by `fetch`.
 */
export function byPlatform(current: () => typeof globalThis.fetch, plain: Transport): Transport {
  return (request) => {
    const known = waysFor(current(), request.url);
    if (known === undefined || shared(ORIGIN) !== undefined) return plain(request);
    const dispatcher = shared(DISPATCHER[known.style]) as Dispatcher | undefined;
    if (typeof dispatcher?.dispatch !== "function") return plain(request);
    const options = toDispatch(request, known);
    return options === undefined ? plain(request) : dispatch(dispatcher, request, options, known.style);
  };
}

/** The first request to a host goes by `fetch`, which is asked meanwhile. */
function waysFor(fetch: typeof globalThis.fetch, { protocol, hostname, origin }: URL): Ways | undefined {
  if (judged.fetch !== fetch) judged = { fetch, isPlatform: isPlatformFetch(fetch) };
  if (!judged.isPlatform) return undefined;
  const host = protocol + hostname;
  if (ways.has(host)) return ways.get(host);
  if (ways.size >= MOST_REMEMBERED) ways.clear();
  ways.set(host, undefined);
  void learnWays(fetch, origin).then((learned) => ways.set(host, learned));
  return undefined;
}

function shared(name: symbol): unknown {
  return (globalThis as { [name: symbol]: unknown })[name];
}

function dispatch(
  dispatcher: Dispatcher,
  request: Outgoing,
  options: DispatchOptions,
  style: Ways["style"],
): Promise<Incoming> {
  return new Promise((resolve, reject) => {
    const Kind = style === "legacy" ? LegacyExchange : ControllerExchange;
    const exchange = new Kind(request, resolve, reject);
    // Ended before it was sent.
    if (request.cancel.aborted) return;
    try {
      dispatcher.dispatch(options, exchange);
    } catch (cause) {
      reject(new TypeError("fetch failed", { cause }));
    }
  });
}
