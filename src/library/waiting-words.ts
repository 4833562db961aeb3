import type { FailureKind } from "../kernel/index.ts";

/** Why a generation waits, in words for people: "Rate limited — retrying in 5 s". The web page has the same (K7). */
export const WAITING_WORDS: Readonly<Record<FailureKind, string>> = {
  rate_limit: "Rate limited",
  usage_limit: "Quota used up",
  overloaded: "Server overloaded",
  server: "Server overloaded",
  network: "Connection failed",
  timeout: "No answer",
  silent: "No answer",
  stalled: "Answer stalled",
  stream_broken: "Answer broke off",
  invalid_content: "Unusable answer",
  context_overflow: "Conversation too long",
  auth: "Key refused",
  permission: "Not permitted",
  bad_request: "Request rejected",
  not_found: "Model not found",
  content_filter: "Blocked by a filter",
  aborted: "Stopped",
  unknown: "Unknown error",
};
