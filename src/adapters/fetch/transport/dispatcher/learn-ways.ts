/** How the platform's `fetch` talks to its dispatcher. */
export interface Ways {
  /** The headers that it adds to a request for this origin, unless the request has them. */
  readonly defaults: Readonly<Record<string, string>>;
  /** The type that it gives to a text. */
  readonly textType: string;
  /** Which callbacks it passes: those of undici 6 and 7, or those of undici 8. */
  readonly style: "legacy" | "controller";
}

interface Dispatched {
  readonly options: { readonly [name: string]: unknown };
  readonly handler: { readonly [name: string]: unknown };
}

const PROBE = "x-probe";
const BODY = "?";
/** Those of a request alone. */
const OF_THE_REQUEST: ReadonlySet<string> = new Set(["content-type", "content-length", PROBE]);
const LEGACY = ["onConnect", "onHeaders", "onData", "onComplete", "onError"];
const CONTROLLER = ["onRequestStart", "onResponseStart", "onResponseData", "onResponseEnd", "onResponseError"];

/**
 * Asks the platform's `fetch` itself: it is called with a dispatcher that sends nothing and keeps what it was given. So nothing is
 * written down here that a version of Node may change. Undefined: it does something that we don't know.
 */
export async function learnWays(fetch: typeof globalThis.fetch, origin: string): Promise<Ways | undefined> {
  let dispatched: Dispatched | undefined;
  const stop = new AbortController();
  const dispatcher = {
    dispatch(options: Dispatched["options"], handler: Dispatched["handler"]): boolean {
      dispatched = { options, handler };
      // Not at once: `fetch` may not have returned yet. A request that was aborted leaves no entry in the platform's timeline.
      queueMicrotask(() => stop.abort());
      return true;
    },
  };
  const { signal } = stop;
  const init = { method: "POST", body: BODY, headers: { [PROBE]: "1" }, redirect: "manual", signal, dispatcher };
  try {
    await fetch(`${origin}/`, init as unknown as RequestInit);
  } catch {
    // It was not sent.
  }
  return dispatched === undefined ? undefined : readWays(dispatched, origin);
}

function readWays({ options, handler }: Dispatched, origin: string): Ways | undefined {
  const { path, method, headers } = options;
  if (path !== "/" || method !== "POST" || options.origin !== origin) return undefined;
  if (typeof headers !== "object" || headers === null || Symbol.iterator in headers) return undefined;
  const entries = Object.entries(headers as Record<string, unknown>);
  if (!entries.every(([name, value]) => name === name.toLowerCase() && typeof value === "string")) return undefined;
  const {
    [PROBE]: probe,
    "content-type": textType,
    "content-length": length,
  } = headers as { [name: string]: string | undefined };
  if (probe !== "1" || textType === undefined || length !== String(BODY.length)) return undefined;
  const style = styleOf(handler);
  if (style === undefined) return undefined;
  const defaults = Object.fromEntries(entries.filter(([name]) => !OF_THE_REQUEST.has(name))) as Ways["defaults"];
  return { defaults, textType, style };
}

function styleOf(handler: Dispatched["handler"]): Ways["style"] | undefined {
  const has = (name: string): boolean => typeof handler[name] === "function";
  if (LEGACY.every(has) && !has("onRequestStart")) return "legacy";
  return CONTROLLER.every(has) && !has("onConnect") ? "controller" : undefined;
}
