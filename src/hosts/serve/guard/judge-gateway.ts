import { isAllowedHost } from "./allowed-host.ts";
import type { Caller } from "./caller.ts";
import type { Asked, Rules } from "./judge-request.ts";
import { REFUSALS, type Refusal } from "./refusals.ts";

export type GatewayVerdict =
  | { readonly ok: true; readonly caller: Caller }
  | { readonly ok: false; readonly refusal: Refusal };

/** Decides about requests to the gateway. Programs use it, and web pages never: a page could spend the key of its visitor. */
export function judgeGateway({ url, headers, rawHeaders }: Asked, { door, ...rules }: Rules): GatewayVerdict {
  if (!url.startsWith("/") || url.startsWith("//")) return refuse("target");
  const hosts = rawHeaders.filter((name, place) => place % 2 === 0 && name.toLowerCase() === "host");
  if (hosts.length !== 1 || !isAllowedHost(headers.host, rules)) return refuse("host");
  const isPage = headers.origin !== undefined || headers["sec-fetch-site"] !== undefined;
  if (isPage) return refuse("page");
  if (!door.needsKey) return { ok: true, caller: {} };
  const key = keyIn(headers, url);
  if (key === undefined) return refuse("key-missing");
  const caller = door.byKey(key);
  return caller === undefined ? refuse("key-wrong") : { ok: true, caller };
}

/** The key of a request, wherever the clients of its format put it. */
export function keyIn(headers: Asked["headers"], url: string): string | undefined {
  const bearer = /^Bearer +([!-~]+)$/i.exec(headers.authorization ?? "")?.[1];
  const found = bearer ?? headers["x-api-key"] ?? headers["x-goog-api-key"] ?? headers["api-key"];
  return typeof found === "string" ? found : /[?&]key=([!-%'-~]+)/.exec(url)?.[1];
}

function refuse(why: keyof typeof REFUSALS): GatewayVerdict {
  return { ok: false, refusal: REFUSALS[why] };
}
