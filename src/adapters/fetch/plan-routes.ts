import {
  asksForStream,
  joinPath,
  type RecognisedCall,
  type RequestScan,
  scanRequest,
  withModel,
} from "../../formats/index.ts";
import { type Chain, chainOf, type Target, type TargetEntry } from "../../kernel/index.ts";
import type { OwnKeys } from "../../library/own-keys.ts";
import { keyOf } from "./keys.ts";
import type { CheckedOptions, Fallback } from "./options.ts";
import type { PlainRequest } from "./read-request.ts";

/** How a request reaches one target. */
export interface Route {
  /** Undefined: the request's own endpoint and model. */
  readonly fallback: Fallback | undefined;
  /** Undefined: the request's own key, or none for a fallback. */
  readonly key: string | undefined;
}

/** All the targets of a request, and how to reach each. */
export interface Plan {
  readonly chain: Chain;
  readonly routes: ReadonlyMap<Target, Route>;
}

/** For those that name none: a chain has no use for an entry without a model. */
const NO_MODEL = "unnamed";
const PROVIDERS: Readonly<Record<string, string>> = {
  "api.openai.com": "openai",
  "api.anthropic.com": "anthropic",
  "generativelanguage.googleapis.com": "google",
  "openrouter.ai": "openrouter",
  "api.groq.com": "groq",
  "api.mistral.ai": "mistral",
  "api.deepseek.com": "deepseek",
  "api.x.ai": "xai",
};

export function nameProvider({ host, hostname }: URL): string {
  return PROVIDERS[hostname] ?? host;
}

interface Asked {
  readonly call: RecognisedCall | undefined;
  readonly model: string | undefined;
  readonly ownKey: string;
}

/** The targets of a request: its own endpoint with each of its keys, then the fallbacks of the same format. */
export function planRoutes(options: CheckedOptions, url: URL, { call, model = NO_MODEL, ownKey }: Asked): Plan {
  const keys = options.keys.get(url.origin);
  const entries: TargetEntry[] = [
    {
      provider: nameProvider(url),
      model: model.trim() === "" ? NO_MODEL : model,
      credentials: idsOf(keys) ?? [ownKey],
    },
  ];
  const routes: Route[] = routesOf(undefined, keys ?? []);
  for (const fallback of options.fallbacks) {
    if (!canStandIn(fallback, call, model)) continue;
    const { base, model: other, keys: theirs } = fallback;
    entries.push({ provider: nameProvider(base), model: other, credentials: idsOf(theirs) ?? [""] });
    routes.push(...routesOf(fallback, theirs));
  }
  const chain = chainOf(entries);
  return { chain, routes: new Map(chain.targets.map((target, index) => [target, routes[index] as Route])) };
}

/**
 * Vectors of two models can't be compared, and a count of tokens is right for one model only. Claude on Vertex AI has a path and a body
 * that no other endpoint takes.
 */
function canStandIn(fallback: Fallback, call: RecognisedCall | undefined, model: string): boolean {
  if (call?.format === "anthropic" && call.model !== undefined) return false;
  return fallback.format === call?.format && (call.what === "generation" || fallback.model === model);
}

function idsOf(keys: readonly string[] | undefined): readonly string[] | undefined {
  if (keys === undefined || keys.length === 0) return undefined;
  return keys.length === 1 ? [""] : keys.map((_, index) => `key ${index + 1}`);
}

function routesOf(fallback: Fallback | undefined, keys: readonly string[]): Route[] {
  return keys.length === 0 ? [{ fallback, key: undefined }] : keys.map((key) => ({ fallback, key }));
}

/** What routing needs to know of a request. */
export interface Wanted {
  readonly scan: RequestScan;
  readonly model: string | undefined;
  readonly isStreaming: boolean;
}

export function readWanted({ text }: PlainRequest, url: URL, call: RecognisedCall | undefined): Wanted {
  const scan = scanRequest(text ?? "");
  if (call === undefined) return { scan, model: scan.model, isStreaming: false };
  const { model: at, what } = call;
  const model = at === undefined ? scan.model : decoded(url.pathname.slice(at.from, at.to));
  // A body that can't be read may ask for a stream; an answer that is not one is passed on all the same.
  const mayStream = text === undefined && at === undefined && what === "generation";
  return { scan, model, isStreaming: mayStream || asksForStream(call, scan) };
}

function decoded(model: string): string {
  try {
    return decodeURIComponent(model);
  } catch {
    // Whether a `%` that stands alone is a fault is for the endpoint to say.
    return model;
  }
}

export function ownKeyOf(request: PlainRequest, url: URL, names: OwnKeys): string {
  const key = keyOf(url, request.headers);
  return key === undefined ? "" : names.nameOf(key);
}

/** The address and the body of a request on its way to a fallback. */
export function redirectTo(
  { base, model }: Fallback,
  request: PlainRequest,
  { url, call, scan }: { readonly url: URL; readonly call: RecognisedCall; readonly scan: RequestScan },
): { readonly url: URL; readonly body: RequestInit["body"] } {
  const { pathname } = url;
  const place = call.model;
  const path =
    place === undefined
      ? pathname.slice(call.pathAt)
      : pathname.slice(call.pathAt, place.from) + encodeURIComponent(model) + pathname.slice(place.to);
  const target = new URL(base);
  target.pathname = joinPath(base, path);
  target.search = url.search;
  for (const [name, value] of base.searchParams) target.searchParams.set(name, value);
  const { text, body } = request;
  return { url: target, body: text === undefined ? body : withModel(text, scan, model) };
}
