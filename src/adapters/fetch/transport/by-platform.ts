import { isPlatformFetch } from "./is-platform-fetch.ts";
import type { Shortcut, Transport } from "./transport.ts";

const MOST_REMEMBERED = 1000;

/** The `fetch` that was looked at last. */
let judged: { readonly fetch: unknown; readonly isPlatform: boolean } = { fetch: undefined, isPlatform: false };
/** By protocol and host, of Node's own `fetch`, which is always the same. Undefined: not opened yet, or there is none. */
const shortcuts = new Map<string, Shortcut | undefined>();

/**
 * Sends requests as the global `fetch` would. Where that is Node's own, most requests go straight to the dispatcher that it uses itself:
 * the same connections, proxies and mocks, without a `Request`, a `Response` and a stream for each. Everything else goes by `fetch`.
 */
export function byPlatform(current: () => typeof globalThis.fetch, plain: Transport): Transport {
  return (request) => shortcutFor(current(), request.url)?.(request) ?? plain(request);
}

/** The first request to a host goes by `fetch`; meanwhile the way for the next ones is opened. */
function shortcutFor(fetch: typeof globalThis.fetch, { protocol, hostname, origin }: URL): Shortcut | undefined {
  if (judged.fetch !== fetch) judged = { fetch, isPlatform: isPlatformFetch(fetch) };
  if (!judged.isPlatform) return undefined;
  const host = protocol + hostname;
  if (shortcuts.has(host)) return shortcuts.get(host);
  if (shortcuts.size >= MOST_REMEMBERED) shortcuts.clear();
  shortcuts.set(host, undefined);
  // Loaded here, so that bundles for browsers have it in a file that they never load.
  void import("./dispatcher/open-shortcut.ts")
    .then(({ openShortcut }) => openShortcut(fetch, origin))
    .then(
      (opened) => shortcuts.set(host, opened),
      // Not in this bundle: it stays with `fetch`.
      () => undefined,
    );
  return undefined;
}
