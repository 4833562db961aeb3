import type { FailureKind } from "../kernel/index.ts";

/** The name of a kind of failure for people. */
const NAMES: Readonly<Record<FailureKind, string>> = {
  rate_limit: "Rate limit",
  usage_limit: "Quota used up",
  overloaded: "Overloaded",
  server: "Server error",
  network: "Connection failed",
  timeout: "Timeout",
  stalled: "Stalled stream",
  silent: "No response",
  invalid_content: "Invalid answer",
  stream_broken: "Broken stream",
  context_overflow: "Context too long",
  auth: "Invalid API key",
  permission: "Not allowed",
  bad_request: "Bad request",
  not_found: "Not found",
  content_filter: "Content refused",
  aborted: "Cancelled",
  unknown: "Unknown error",
};

export function sayKind(kind: FailureKind): string {
  return NAMES[kind];
}
