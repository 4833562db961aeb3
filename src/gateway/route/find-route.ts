import { joinPath, type RecognisedCall, recogniseCall, type WireFormat } from "../../formats/index.ts";
import type { Directory, Endpoint } from "./directory.ts";
import { OWNER_OF_FORMAT } from "./known-endpoints.ts";

/** Where a request goes, by its method and path. */
export interface Route {
  readonly endpoint: Endpoint;
  /** Undefined: no generation. */
  readonly call: RecognisedCall | undefined;
  /** The path at the endpoint, without the query. */
  readonly path: string;
  /** What it ends with: the call's own part, which other endpoints have too. Empty: no generation. */
  readonly ownPath: string;
}

const VERSIONED = /^\/(v1(?:beta|alpha)?\d*)(?:\/|$)/;
/** No other provider has such versions. */
const GOOGLE = /^\/v1(?:beta|alpha)/;

/** Whether a path is the gateway's. */
export function isGatewayPath(path: string, { endpoints }: Directory): boolean {
  if (VERSIONED.test(path)) return true;
  const end = path.indexOf("/", 1);
  return end > 0 && endpoints.has(path.slice(1, end));
}

/** Undefined: no path of the gateway. */
export function findRoute(
  { method, path, isAnthropic }: { readonly method: string; readonly path: string; readonly isAnthropic: boolean },
  endpoints: Directory["endpoints"],
): Route | undefined {
  if (VERSIONED.test(path)) {
    const call = recogniseCall(method, path);
    const format = GOOGLE.test(path) ? "gemini" : (call?.format ?? formatOf(path, isAnthropic));
    return routeTo(endpoints.get(OWNER_OF_FORMAT[format]), call, path);
  }
  const end = path.indexOf("/", 1);
  const endpoint = end > 0 ? endpoints.get(path.slice(1, end)) : undefined;
  const rest = path.slice(end);
  return routeTo(endpoint, recogniseCall(method, rest), rest);
}

/** An OpenAI path under an endpoint of another format, as Google has it, is passed on as it is. */
function routeTo(endpoint: Endpoint | undefined, call: RecognisedCall | undefined, path: string): Route | undefined {
  if (endpoint === undefined) return undefined;
  const own = call?.format === endpoint.format ? call : undefined;
  const ownPath = own === undefined ? "" : path.slice(own.pathAt);
  return { endpoint, call: own, path: joinPath(endpoint.base, path), ownPath };
}

/** For paths that several formats have, such as `/v1/models`. */
function formatOf(path: string, isAnthropic: boolean): WireFormat {
  return isAnthropic || path.startsWith("/v1/messages") ? "anthropic" : "openai";
}
