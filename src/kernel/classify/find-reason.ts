/**
 * What agents and SDKs write between their own headline and the cause: "Sorry, your request failed. Reason: …". A word of a
 * sentence ("for this reason: …") is none: it starts a line or a sentence.
 */
const MARKER =
  /(?:^|[\n.!?;。！，])\s{0,8}(?:\W{1,3} ?)?(?:caused by|reason|root cause|last error|original error|underlying error|inner exception|upstream error|error from provider[^:\n]{0,60}|原因|错误原因|错误详情|причина|grund|motivo|cause|理由|원인)\s?[:：]\s{0,4}/gi;
/** Every marker has one of these; most texts have neither. */
const hasColon = (text: string): boolean => text.includes(":") || text.includes("：");
/** Of those that have, most have no marker: this is found out without looking at each start of a sentence. */
const ANY_MARKER =
  /(?:eason|aused by|ause|[tlgm] error|xception|rovider[^:\n]{0,60}|原因|详情|ричина|rund|otivo|理由|원인)\s?[:：]/;
/** Go's "rpc error: code = Unavailable desc = …". */
const GRPC_REASON = " desc = ";
const MOST_MARKERS = 8;
/** Longer texts are logs: what follows the last marker need not be the cause of anything. */
const MOST_CHARS = 4_096;
/** A headline, a marker and a reason need some room. */
const LEAST_CHARS = 40;
const LEAST_REASON_CHARS = 8;

/** What follows the last such marker, if the text has one. */
export function findReason(text: string): string | undefined {
  const described = text.lastIndexOf(GRPC_REASON);
  if (described !== -1 && text.length <= MOST_CHARS) return text.slice(described + GRPC_REASON.length);
  if (text.length < LEAST_CHARS || text.length > MOST_CHARS) return undefined;
  if (!hasColon(text) || !ANY_MARKER.test(text)) return undefined;
  let end: number | undefined;
  let count = 0;
  for (const found of text.matchAll(MARKER)) {
    end = found.index + found[0].length;
    if (++count >= MOST_MARKERS) break;
  }
  return end === undefined || text.length - end < LEAST_REASON_CHARS ? undefined : text.slice(end);
}
