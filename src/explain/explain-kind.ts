import type { FailureKind } from "../kernel/index.ts";

/** A kind of failure in plain words. */
interface Explanation {
  readonly whatHappened: string;
  readonly whoActs: string;
  /** What helps where waiting does not. */
  readonly remedy: string;
}

const KEY_OR_PLAN = "you (key or plan)";
const PROVIDER_OR_NETWORK = "the provider, or the network in between";

/** Where the provider has to act and only another one helps. */
const PROVIDER = { whoActs: "the provider", remedy: "another model or provider" };

export const EXPLANATIONS: Readonly<Record<FailureKind, Explanation>> = {
  rate_limit: {
    whatHappened: "This key has sent more than its limit allows in a short time.",
    whoActs: KEY_OR_PLAN,
    remedy: "a smaller request, or a higher limit",
  },
  usage_limit: {
    whatHappened: "The quota or the credit of this key is used up.",
    whoActs: KEY_OR_PLAN,
    remedy: "more credit or a larger plan; until then another key or model",
  },
  overloaded: { ...PROVIDER, whatHappened: "The endpoint is up, but has more work than it can handle." },
  server: { ...PROVIDER, whatHappened: "The endpoint failed while it processed the request." },
  network: {
    whatHappened: "The connection failed before an answer came.",
    whoActs: "you, if the address or proxy is wrong; else the network",
    remedy: "checking the address, the proxy and the connection",
  },
  timeout: {
    whatHappened: "No answer came in time.",
    whoActs: PROVIDER_OR_NETWORK,
    remedy: "a shorter request, or a longer time limit",
  },
  stalled: { ...PROVIDER, whoActs: PROVIDER_OR_NETWORK, whatHappened: "The answer began, then nothing more came." },
  silent: { ...PROVIDER, whatHappened: "The request was accepted, but its answer never began." },
  invalid_content: {
    whatHappened: "The answer lacks the required content.",
    whoActs: "you (prompt or model)",
    remedy: "a clearer prompt, or another model",
  },
  stream_broken: {
    ...PROVIDER,
    whoActs: PROVIDER_OR_NETWORK,
    whatHappened: "The answer broke off before its end, or is not in the API's format.",
  },
  context_overflow: {
    whatHappened: "The conversation is too long for this model.",
    whoActs: "you (length of the request)",
    remedy: "a shorter conversation (compaction), or a model with a larger context window",
  },
  auth: {
    whatHappened: "The endpoint does not accept this key.",
    whoActs: "you (key)",
    remedy: "a complete and valid key of this provider",
  },
  permission: {
    whatHappened: "The key is valid, but does not have this permission.",
    whoActs: KEY_OR_PLAN,
    remedy: "access to this model or region, or a key that has it",
  },
  bad_request: {
    whatHappened: "The endpoint rejects the request.",
    whoActs: "you (the request)",
    remedy: "a corrected request; the message names the error",
  },
  not_found: {
    whatHappened: "This endpoint has no such model or address.",
    whoActs: "you (model name or address)",
    remedy: "the right model name and base URL",
  },
  content_filter: {
    whatHappened: "A safety filter blocked the request or its answer.",
    whoActs: "you (content of the request)",
    remedy: "different wording; the same text will be blocked again",
  },
  aborted: {
    whatHappened: "The request was cancelled on your side before it ended.",
    whoActs: "no one: nothing is broken",
    remedy: "sending it again, if you still want the answer",
  },
  unknown: {
    whatHappened: "This error does not show what went wrong.",
    whoActs: "unclear from this error",
    remedy: "the status and the headers, if you have them (--status, --header)",
  },
};
