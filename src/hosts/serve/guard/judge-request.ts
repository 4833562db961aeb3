import type { IncomingHttpHeaders } from "node:http";
import { type HostRule, isAllowedHost } from "./allowed-host.ts";
import type { Caller } from "./caller.ts";
import { REFUSALS, type Refusal } from "./refusals.ts";
import { isSameSecret } from "./same-secret.ts";

/** What the guard looks at. */
export interface Asked {
  readonly method: string;
  /** As received: path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as received: a name may stand in it twice. */
  readonly rawHeaders: readonly string[];
}

/** The callers that the server knows. */
export interface Doorkeeper {
  /** The server has access keys: every request needs one. */
  readonly needsKey: boolean;
  /** By `Authorization: Bearer`. Undefined: a wrong key. */
  byKey(key: string): Caller | undefined;
  /** By the cookie of a page that has logged in. */
  bySession(cookies: string): Caller | undefined;
}

export interface Rules extends HostRule {
  /** The page's token; new with every start of the server. */
  readonly token: string;
  readonly door: Doorkeeper;
}

export type Verdict =
  | { readonly ok: true; readonly caller: Caller; readonly path: string }
  | { readonly ok: false; readonly refusal: Refusal };

const READS: ReadonlySet<string> = new Set(["GET", "HEAD"]);
/** Below these is no page. */
const NO_PAGE = /^\/(?:api|chat|jobs|ws|metrics|health)(?:\/|$)/;
/** What programs of this machine change without the page's token: a browser sends `Origin`, and they do not. */
const FOR_PROGRAMS = /^\/(?:chat$|jobs(?:\/|$))/;
const OWN_PLACE: ReadonlySet<string> = new Set(["same-origin", "none"]);

/**
 * Decides about every request and every WebSocket before anything else looks at it. Pure, and the same for all paths: a new path is
 * guarded without a change here. The answers are constant: a request learns nothing from them.
 */
export function judgeRequest(asked: Asked, rules: Rules): Verdict {
  const { method, url, headers } = asked;
  if (!url.startsWith("/") || url.startsWith("//")) return refuse("target");
  const path = url.split("?", 1)[0] as string;
  if (countOf("host", asked.rawHeaders) !== 1 || !isAllowedHost(headers.host, rules)) return refuse("host");
  if (!isSameOrigin(asked, path)) return refuse("origin");

  const found = findCaller(asked, path, rules);
  if (found === undefined) return refuse(headers.authorization === undefined ? "key-missing" : "key-wrong");
  const { caller, isByKey } = found;
  const isProgram = headers.origin === undefined && headers["sec-fetch-site"] === undefined;
  if (path === "/ws") {
    const given = new URLSearchParams(url.slice(path.length + 1)).get("token") ?? "";
    if (!isProgram && !isByKey && !isSameSecret(given, rules.token)) return refuse("token");
  } else if (!READS.has(method) && !isByKey && !(isProgram && FOR_PROGRAMS.test(path))) {
    if (!isSameSecret(headers["x-secondwind-token"]?.toString() ?? "", rules.token)) return refuse("token");
  }
  return { ok: true, caller, path };
}

function refuse(why: keyof typeof REFUSALS): Verdict {
  return { ok: false, refusal: REFUSALS[why] };
}

/**
 * Another site, or another port of this machine, may link to a page, and nothing more. Programs send neither header; browsers send
 * `Origin` whenever they change something, and all of today's send `Sec-Fetch-Site` always.
 */
function isSameOrigin({ method, headers }: Asked, path: string): boolean {
  const { host, origin } = headers;
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) return false;
  const site = headers["sec-fetch-site"]?.toString();
  if (site === undefined || OWN_PLACE.has(site)) return true;
  const isLink = headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
  return isLink && READS.has(method) && !NO_PAGE.test(path);
}

/** Undefined: this request needs a key. */
function findCaller(
  { method, headers }: Asked,
  path: string,
  { door }: Rules,
): { readonly caller: Caller; readonly isByKey: boolean } | undefined {
  if (!door.needsKey) return { caller: {}, isByKey: false };
  const key = /^Bearer +([!-~]+)$/i.exec(headers.authorization ?? "")?.[1];
  if (key !== undefined) {
    const caller = door.byKey(key);
    return caller && { caller, isByKey: true };
  }
  const caller = door.bySession(headers.cookie ?? "") ?? (isOpenToAll(method, path) ? {} : undefined);
  return caller && { caller, isByKey: false };
}

/** The page itself, which asks for the key; its own session; and whether the server is alive. */
function isOpenToAll(method: string, path: string): boolean {
  if (path === "/api/session") return READS.has(method) || method === "POST";
  return READS.has(method) && (path === "/health" || !NO_PAGE.test(path));
}

function countOf(name: string, rawHeaders: readonly string[]): number {
  return rawHeaders.filter((one, place) => place % 2 === 0 && one.toLowerCase() === name).length;
}
