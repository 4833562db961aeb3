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

const USUALLY_RETRYABLE: Readonly<Record<FailureKind, boolean>> = {
  rate_limit: true,
  // Waiting a little does not refill a plan; another credential or model may (B2, E17).
  usage_limit: false,
  overloaded: true,
  server: true,
  network: true,
  timeout: true,
  stalled: true,
  silent: true,
  invalid_content: true,
  stream_broken: true,
  context_overflow: false,
  auth: false,
  permission: false,
  bad_request: false,
  not_found: false,
  content_filter: false,
  aborted: false,
  // A preset may decide otherwise; here a fault that nobody understands is not repeated.
  unknown: false,
};

/** Whether the same request with the same credential may succeed later, for a failure of this kind. */
export function isUsuallyRetryable(kind: FailureKind): boolean {
  return USUALLY_RETRYABLE[kind];
}
