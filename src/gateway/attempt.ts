import type { AttemptContext, Target } from "../kernel/index.ts";
import { ResponseError } from "../library/response-error.ts";
import type { Errand } from "./exchange.ts";
import { bodyWithModel } from "./request/scan-body.ts";
import type { Leg } from "./route/plan.ts";
import { requestHeaders } from "./upstream/request-headers.ts";
import { headerRecord } from "./upstream/response-headers.ts";
import { callUpstream, type UpstreamAnswer, type UpstreamRequest } from "./upstream/upstream-call.ts";

/** More of a refusal than anybody reads. */
const MOST_REFUSAL_BYTES = 1_048_576;

/** One request to one target: resolves with an answer that is no refusal. */
export async function attempt(errand: Errand, { target, signal }: AttemptContext): Promise<UpstreamAnswer> {
  const answer = await callUpstream(errand.gateway.dispatcher, prepare(errand, target), signal);
  // Redirects are refused: a client can't be sent elsewhere with its key.
  const isGood = answer.status < 300 || (errand.route.call === undefined && answer.status === 304);
  if (!isGood) throw await refusalOf(answer);
  return answer;
}

function prepare({ request, route, query, body, scan, plan, client }: Errand, target: Target): UpstreamRequest {
  const { endpoint, model, key } = plan.legs.get(target) as Leg;
  const isOwn = endpoint === route.endpoint && client.isKnown !== true;
  const keepsAccount = isOwn && key === undefined;
  const { base, format } = endpoint;
  const path = model === undefined ? route.path : pathFor(endpoint.name === route.endpoint.name, route, base, model);
  return {
    origin: base.origin,
    path: path + (keepsAccount ? query : withoutKey(query)),
    method: request.method ?? "GET",
    headers: requestHeaders(request.rawHeaders, { key, format, keepsAccount }),
    body: bodyFor(body, scan, model),
  };
}

/** The path of the same call at another endpoint, for another model. */
function pathFor(isSame: boolean, { path, call }: Errand["route"], base: URL, model: string): string {
  const own =
    /\/(?:chat\/completions|responses|completions|embeddings|moderations)$|\/messages(?:\/count_tokens)?$|\/(?:models|tunedModels)\/[^/:]+:[a-zA-Z]+$/;
  const [rest = ""] = own.exec(path) ?? [];
  const head = isSame ? path.slice(0, path.length - rest.length) : base.pathname.replace(/\/+$/, "");
  return head + (call?.model === undefined ? rest : rest.replace(/\/[^/:]+:/, `/${encodeURIComponent(model)}:`));
}

function bodyFor(body: Buffer, scan: Errand["scan"], model: string | undefined): Buffer | null {
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

async function refusalOf({ status, statusText, rawHeaders, body }: UpstreamAnswer): Promise<ResponseError> {
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
  const text = Buffer.concat(chunks).toString("utf8");
  return new ResponseError({ status, statusText, headers: headerRecord(rawHeaders), body: text, url: "" });
}
