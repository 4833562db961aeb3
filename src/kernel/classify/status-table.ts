import type { FailureKind } from "../model/failure.ts";

const KIND_OF: ReadonlyMap<number, FailureKind> = new Map(
  Object.entries({
    rate_limit: [420, 429],
    overloaded: [503, 529],
    // 522 and 524 are Cloudflare's, 598 and 599 those of proxies; 499 is a proxy whose client gave up waiting.
    timeout: [408, 499, 504, 522, 524, 598, 599],
    auth: [401, 407],
    usage_limit: [402],
    permission: [403, 451],
    not_found: [404, 410],
    context_overflow: [413],
    // A failed dependency (Bedrock's model errors) and "too early": the request itself is fine.
    server: [424, 425],
  } satisfies Partial<Record<FailureKind, number[]>>).flatMap(([kind, statuses]) =>
    statuses.map((status) => [status, kind as FailureKind] as const),
  ),
);

/** What a failing HTTP status (400 to 599) means by itself. */
export function kindOfStatus(status: number): FailureKind {
  return KIND_OF.get(status) ?? (status >= 500 ? "server" : "bad_request");
}
