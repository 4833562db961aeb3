import type { Target } from "../../kernel/index.ts";
import type { Errand } from "./errand.ts";
import { dropKeys, setKey } from "./keys.ts";
import { redirectTo } from "./plan-routes.ts";
import type { Sending } from "./send.ts";

const MANUAL = { redirect: "manual" } as const;

/** The request as one target gets it. */
export function prepare(errand: Errand, target: Target, signal: AbortSignal): Sending {
  const { request, url, call, wanted, plan } = errand;
  const { fallback, key } = plan.routes.get(target) ?? {};
  const { redirect } = request.init;
  const followsRedirects = redirect === undefined || redirect === "follow";
  // One copy, with all that every target gets: see `send`.
  const init: RequestInit = { ...request.init, signal, ...(followsRedirects && MANUAL) };
  if (fallback === undefined && key === undefined) return { url, init, followsRedirects };
  const format = call?.format ?? "openai";
  const headers = new Headers(request.headers);
  if (fallback === undefined || call === undefined) {
    const own = new URL(url);
    setKey(own, headers, key ?? "", format);
    return { url: own, init: { ...init, headers }, followsRedirects };
  }
  const moved = redirectTo(fallback, request, { url, call, scan: wanted.scan });
  const held = new Headers(headers);
  dropKeys(moved.url, headers);
  headers.delete("content-length");
  if (key !== undefined) setKey(moved.url, likeBefore(headers, held), key, format);
  return { url: moved.url, init: { ...init, headers, body: moved.body ?? null }, followsRedirects };
}

/** A key goes into the header in which the SDK had its own: a compatible endpoint is used to that. */
function likeBefore(headers: Headers, before: Headers): Headers {
  for (const name of ["x-api-key", "x-goog-api-key", "api-key"]) if (before.has(name)) headers.set(name, "-");
  if (before.get("authorization") !== null) headers.set("authorization", "-");
  return headers;
}
