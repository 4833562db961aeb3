import type { FailureKind } from "../kernel/index.ts";

/** The HTTP status that fits a failure that came without one, or with a good one. */
const STATUS_OF_KIND: Readonly<Partial<Record<FailureKind, number>>> = {
  rate_limit: 429,
  usage_limit: 429,
  overloaded: 503,
  server: 500,
  timeout: 504,
  silent: 504,
  stalled: 504,
  context_overflow: 400,
  bad_request: 400,
  content_filter: 400,
  auth: 401,
  permission: 403,
  not_found: 404,
};

export function statusOfKind(kind: FailureKind): number {
  return STATUS_OF_KIND[kind] ?? 502;
}
