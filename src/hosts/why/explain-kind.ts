import type { FailureKind } from "../../kernel/index.ts";

/** A kind of failure in plain words. */
export interface Explanation {
  readonly whatHappened: string;
  readonly whoseSide: string;
  /** What would help where waiting does not. */
  readonly cure: string;
}

const KEY_OR_PLAN = "your key or plan";
const PROVIDER = "the provider";

export const EXPLANATIONS: Readonly<Record<FailureKind, Explanation>> = {
  rate_limit: {
    whatHappened: "More was sent than this key may send in so short a time.",
    whoseSide: KEY_OR_PLAN,
    cure: "a smaller request, or a higher limit",
  },
  usage_limit: {
    whatHappened: "The quota or the credit behind this key is used up.",
    whoseSide: KEY_OR_PLAN,
    cure: "more credit or a larger plan; until then another key or model",
  },
  overloaded: {
    whatHappened: "The endpoint is up, but has more work than it can take.",
    whoseSide: PROVIDER,
    cure: "another model or provider",
  },
  server: {
    whatHappened: "Something broke at the endpoint while it worked on the request.",
    whoseSide: PROVIDER,
    cure: "another model or provider",
  },
  network: {
    whatHappened: "The connection broke before there was an answer.",
    whoseSide: "the network in between",
    cure: "a look at the address, the proxy and the connection",
  },
  timeout: {
    whatHappened: "No answer came in time.",
    whoseSide: "the provider, or the network in between",
    cure: "a shorter request, or a longer time limit",
  },
  stalled: {
    whatHappened: "The answer began, and then nothing more came.",
    whoseSide: "the provider, or the network in between",
    cure: "another model or provider",
  },
  silent: {
    whatHappened: "The request was taken, but its answer never began.",
    whoseSide: PROVIDER,
    cure: "another model or provider",
  },
  invalid_content: {
    whatHappened: "An answer came, but without the content that it must have.",
    whoseSide: "the model",
    cure: "a clearer prompt, or another model",
  },
  stream_broken: {
    whatHappened: "The answer broke off before its proper end.",
    whoseSide: "the provider, or the network in between",
    cure: "another model or provider",
  },
  context_overflow: {
    whatHappened: "The conversation is longer than this model can read at once.",
    whoseSide: "you: the request is too long",
    cure: "a shorter conversation (compaction), or a model with a larger window",
  },
  auth: {
    whatHappened: "The endpoint does not accept this key.",
    whoseSide: "your key",
    cure: "a key that is whole, still valid and meant for this provider",
  },
  permission: {
    whatHappened: "The key is known, but it may not do this.",
    whoseSide: KEY_OR_PLAN,
    cure: "access to this model or region, or a key that has it",
  },
  bad_request: {
    whatHappened: "The endpoint does not accept the request as it is.",
    whoseSide: "you: the request itself",
    cure: "a change to the request; the endpoint's words say which",
  },
  not_found: {
    whatHappened: "There is no such model or address at this endpoint.",
    whoseSide: "you: the model's name or the address",
    cure: "the right model name and base URL",
  },
  content_filter: {
    whatHappened: "A safety filter refused the request or its answer.",
    whoseSide: "you: the content of the request",
    cure: "other words; the same ones are refused again",
  },
  aborted: {
    whatHappened: "The request was cancelled on your side before it had ended.",
    whoseSide: "you: nothing is broken",
    cure: "sending it again, if you still want the answer",
  },
  unknown: {
    whatHappened: "Nothing in this error says what went wrong.",
    whoseSide: "cannot be told from this",
    cure: "the status and the headers, if you have them (--status, --header)",
  },
};
