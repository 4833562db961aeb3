import { isAzure } from "../../formats/index.ts";
import type { AttemptContext } from "../../kernel/index.ts";
import { cancelMarkOf } from "../../library/cancel-mark.ts";
import type { Errand } from "./errand.ts";
import { dropKeys, setKey } from "./keys.ts";
import { redirectTo } from "./plan-routes.ts";
import type { Outgoing } from "./transport/index.ts";

/** The request as one target gets it. */
export function prepare(errand: Errand, { target, signal }: AttemptContext): Outgoing {
  const { request, url, call, wanted, plan } = errand;
  const { method, init, body } = request;
  const { fallback, key } = plan.routes.get(target) ?? {};
  const { redirect } = init;
  const followsRedirects = redirect === undefined || redirect === "follow";
  const cancel = cancelMarkOf(signal);
  if (fallback === undefined && key === undefined)
    return { url, method, headers: request.headers, body, init, followsRedirects, cancel };
  const format = call?.format ?? "openai";
  const headers = new Headers(request.headers);
  if (fallback === undefined || call === undefined) {
    const own = new URL(url);
    setKey(own, headers, key ?? "", format);
    return { url: own, method, headers, body, init: { ...init, headers }, followsRedirects, cancel };
  }
  const moved = redirectTo(fallback, request, { url, call, scan: wanted.scan });
  const held = new Headers(headers);
  dropKeys(moved.url, headers);
  headers.delete("content-length");
  if (key !== undefined) setKey(moved.url, placesFor(moved.url, headers, held), key, format);
  const changed: RequestInit = { ...init, headers, body: moved.body ?? null };
  return { url: moved.url, method, headers, body: moved.body, init: changed, followsRedirects, cancel };
}

/** A key goes into the header in which the SDK had its own: a compatible endpoint is used to that. `api-key` is known to Azure alone. */
function placesFor(url: URL, headers: Headers, before: Headers): Headers {
  for (const name of ["x-api-key", "x-goog-api-key", "api-key"]) if (before.has(name)) headers.set(name, "-");
  if (isAzure(url)) headers.set("api-key", "-");
  else if (before.has("authorization") || before.has("api-key")) headers.set("authorization", "-");
  return headers;
}
