import { isAzure, joinPath } from "../formats/index.ts";
import type { AttemptContext, Target } from "../kernel/index.ts";
import { ResponseError } from "../library/response-error.ts";
import type { Exchange } from "./exchange.ts";
import { bodyWithModel } from "./request/scan-body.ts";
import type { Endpoint } from "./route/directory.ts";
import type { Route } from "./route/find-route.ts";
import type { Leg } from "./route/plan.ts";
import type { UpstreamRequest } from "./upstream/connections.ts";
import { requestLines } from "./upstream/request-headers.ts";
import { headerRecord } from "./upstream/response-headers.ts";
import { unpacked } from "./upstream/unpack-answer.ts";
import { callUpstream, type UpstreamAnswer } from "./upstream/upstream-call.ts";
import { callWhole, type WholeAnswer } from "./upstream/whole-call.ts";

/** More of a refusal than is ever read. */
const MOST_REFUSAL_BYTES = 1_048_576;

/** One request to one target: resolves with what `open` makes of an answer that is no refusal, and whose body is to be read. */
export function attempt<T>(
  exchange: Exchange,
  { target, signal }: AttemptContext,
  open: (answer: UpstreamAnswer) => T | PromiseLike<T>,
): Promise<T> {
  return callUpstream(exchange.gateway.connections, prepare(exchange, target), signal, (answer) => {
    if (!isGood(exchange, answer.head.status)) return refuse(unpacked(answer));
    // What is no generation is not judged, and passes as it is.
    return open(exchange.route.call === undefined ? answer : unpacked(answer));
  });
}

/** The same with all of the answer. `judge` makes of it what the attempt resolves to, or throws. */
export function attemptWhole<T>(
  exchange: Exchange,
  { target, signal }: AttemptContext,
  judge: (answer: WholeAnswer) => T,
): Promise<T> {
  return callWhole(exchange.gateway.connections, prepare(exchange, target), signal, judge);
}

/** Redirects are refused: a client can't be sent elsewhere with its key. */
export function isGood({ route }: Exchange, status: number): boolean {
  return status < 300 || (route.call === undefined && status === 304);
}

function prepare(
  { gateway, request, head, route, query, body, text, scan, plan, client }: Exchange,
  target: Target,
): UpstreamRequest {
  const { endpoint, model, key } = plan.legs.get(target) as Leg;
  const isOwn = endpoint === route.endpoint && client.isKnown !== true;
  const keepsAccount = isOwn && key === undefined;
  const { base, format, origin } = endpoint;
  const path = model === undefined ? route.path : pathFor(route, endpoint, model);
  return {
    origin,
    path: query === "" ? path : path + (keepsAccount ? query : withoutKey(query)),
    method: request.method ?? "GET",
    headers: requestLines(head.passed, { key, format, keepsAccount, isAzure: isAzure(base) }),
    body: bodyFor(body, scan, model),
    text: model === undefined ? text : undefined,
    isAlone: gateway.inFlight === 1,
  };
}

/** The path of the same call at this endpoint, for another model. */
function pathFor({ endpoint: own, path, ownPath, call }: Route, endpoint: Endpoint, model: string): string {
  const renamed = call?.model === undefined ? ownPath : ownPath.replace(/\/[^/:]+:/, `/${encodeURIComponent(model)}:`);
  return endpoint.name === own.name
    ? path.slice(0, path.length - ownPath.length) + renamed
    : joinPath(endpoint.base, renamed);
}

function bodyFor(body: Buffer, scan: Exchange["scan"], model: string | undefined): Buffer | null {
  if (body.length === 0) return null;
  return model === undefined ? body : bodyWithModel(body, scan, model);
}

function withoutKey(query: string): string {
  if (!query.includes("key=")) return query;
  const rest = query
    .slice(1)
    .split("&")
    .filter((part) => !part.startsWith("key="));
  return rest.length === 0 ? "" : `?${rest.join("&")}`;
}

/** Rejects with a refusal when it has been read. */
async function refuse({ head, body }: UpstreamAnswer): Promise<never> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for (let next = await body.read(); !next.done; next = await body.read()) {
      chunks.push(next.value);
      bytes += next.value.length;
      if (bytes < MOST_REFUSAL_BYTES) continue;
      await body.cancel();
      break;
    }
  } catch {
    // The connection broke: what has come is what there is.
  }
  throw refusal({ head, body: Buffer.concat(chunks) });
}

export function refusal({ head, body }: WholeAnswer): ResponseError {
  const { status, statusText, rawHeaders } = head;
  return new ResponseError({
    status,
    statusText,
    headers: headerRecord(rawHeaders),
    body: body.toString("utf8"),
    url: "",
  });
}
