import type { Incoming, Outgoing, Shortcut } from "../transport.ts";
import { ControllerExchange, LegacyExchange } from "./exchange.ts";
import { learnWays, type Ways } from "./learn-ways.ts";
import { type DispatchOptions, toDispatch } from "./to-dispatch.ts";

interface Dispatcher {
  dispatch(options: DispatchOptions, handler: object): unknown;
}

/** Where undici has what all of its copies in a process share. */
const DISPATCHER: Readonly<Record<Ways["style"], symbol>> = {
  legacy: Symbol.for("undici.globalDispatcher.1"),
  controller: Symbol.for("undici.globalDispatcher.2"),
};
const ORIGIN = Symbol.for("undici.globalOrigin.1");

/** The way to the dispatcher of the platform's `fetch`, for one host. Undefined: it does something that we don't know. */
export async function openShortcut(fetch: typeof globalThis.fetch, origin: string): Promise<Shortcut | undefined> {
  const ways = await learnWays(fetch, origin);
  return ways && ((request) => take(request, ways));
}

function take(request: Outgoing, ways: Ways): Promise<Incoming> | undefined {
  // Looked up each time, as `fetch` does: `setGlobalDispatcher` puts another one there.
  const dispatcher = shared(DISPATCHER[ways.style]) as Dispatcher | undefined;
  if (typeof dispatcher?.dispatch !== "function" || shared(ORIGIN) !== undefined) return undefined;
  const options = toDispatch(request, ways);
  return options && dispatch(dispatcher, request, options, ways.style);
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
