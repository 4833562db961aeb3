import type { Agent } from "undici";
import { byFetch } from "../../../../src/adapters/fetch/transport/by-fetch.ts";
import { byPlatform } from "../../../../src/adapters/fetch/transport/by-platform.ts";
import { ControllerExchange, LegacyExchange } from "../../../../src/adapters/fetch/transport/dispatcher/exchange.ts";
import { learnWays, type Ways } from "../../../../src/adapters/fetch/transport/dispatcher/learn-ways.ts";
import { toDispatch } from "../../../../src/adapters/fetch/transport/dispatcher/to-dispatch.ts";
import type { Outgoing, Transport } from "../../../../src/adapters/fetch/transport/transport.ts";
import { CancelMark } from "../../../../src/library/cancel-mark.ts";

export interface Wish {
  readonly headers?: Headers;
  readonly body?: Outgoing["body"];
  readonly init?: RequestInit;
  readonly cancel?: CancelMark;
}

export function outgoing(
  url: string,
  { headers = new Headers(), body = "{}", init = {}, cancel }: Wish = {},
): Outgoing {
  const method = "POST";
  return {
    ...{ url: new URL(url), method, headers, body, followsRedirects: true },
    init: { method, headers, body: body ?? null, ...init },
    cancel: cancel ?? new CancelMark(),
  };
}

const ports = { newAbort: () => new AbortController() };

export const plain: Transport = byFetch((input, init) => fetch(input, init), ports);
/** The same at another dispatcher: what counts as the end of a body differs between versions of undici. */
export function plainAt(dispatcher: Agent): Transport {
  return byFetch((input, init) => fetch(input, { ...init, dispatcher } as unknown as RequestInit), ports);
}

/** As the door has it: through the dispatcher, once the host is known. */
export const platform: Transport = byPlatform(() => fetch, plain);

/**
 * Each of the two kinds of callbacks at a dispatcher that takes them: that of the platform on Node 20 to 24, and undici 7, which takes
 * both. Rejects what is left to `fetch`.
 */
export function directly(kind: Ways["style"], agent: Agent): Transport {
  const Kind = kind === "legacy" ? LegacyExchange : ControllerExchange;
  return async (request) => {
    const ways = await learnWays(fetch, request.url.origin);
    const options = ways && toDispatch(request, ways);
    if (options === undefined) throw new Error("It is left to fetch");
    return new Promise((resolve, reject) => {
      agent.dispatch(options as never, new Kind(request, resolve, reject) as never);
    });
  };
}
