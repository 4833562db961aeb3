import type { FailureKind } from "../model/failure.ts";

/** What a failing HTTP status (400 to 599) says by itself. */
export function kindOfStatus(status: number): FailureKind {
  switch (status) {
    case 429:
    case 420:
      return "rate_limit";
    case 503:
    case 529:
      return "overloaded";
    // 522 and 524 are Cloudflare's, 598 and 599 those of proxies; 499 is a proxy that saw its client give up waiting.
    case 408:
    case 499:
    case 504:
    case 522:
    case 524:
    case 598:
    case 599:
      return "timeout";
    case 401:
    case 407:
      return "auth";
    case 402:
      return "usage_limit";
    case 403:
    case 451:
      return "permission";
    case 404:
    case 410:
      return "not_found";
    case 413:
      return "context_overflow";
    // Too early, and a failed dependency (Bedrock's model errors): the request itself is fine.
    case 424:
    case 425:
      return "server";
    default:
      return status >= 500 ? "server" : "bad_request";
  }
}
