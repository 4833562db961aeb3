import type { FailureKind, FailureScope } from "../model/failure.ts";

/** What else would fail in the same way now, unless the endpoint's words say more. */
export const DEFAULT_SCOPE: Readonly<Record<FailureKind, FailureScope>> = {
  rate_limit: "credential",
  usage_limit: "credential",
  overloaded: "model",
  server: "provider",
  network: "provider",
  timeout: "provider",
  stalled: "provider",
  silent: "provider",
  invalid_content: "request",
  stream_broken: "provider",
  context_overflow: "request",
  auth: "credential",
  permission: "credential",
  bad_request: "request",
  not_found: "model",
  content_filter: "request",
  aborted: "request",
  unknown: "request",
};

// A plan does not refill by waiting a little (`usage_limit`); another credential or model may help (B2, E17). A fault that
// the classifier does not recognise (`unknown`) is not repeated; a preset may decide otherwise.
const USUALLY_RETRYABLE: ReadonlySet<FailureKind> = new Set<FailureKind>([
  "rate_limit",
  "overloaded",
  "server",
  "network",
  "timeout",
  "stalled",
  "silent",
  "invalid_content",
  "stream_broken",
]);

/** Whether the same request with the same credential may succeed later, for a failure of this kind. */
export function isUsuallyRetryable(kind: FailureKind): boolean {
  return USUALLY_RETRYABLE.has(kind);
}
