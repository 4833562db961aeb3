import { decisionOf, type PolicyDecision } from "../../../../explain/preset-decisions.ts";
import { DEFAULT_SCOPE, isUsuallyRetryable } from "../../../../kernel/classify/failure-defaults.ts";
import { classify, type Failure, type FailureKind, type Policy, schedule } from "../../../../kernel/index.ts";

/** What is done about some kinds or statuses, as data. */
export interface Treatment {
  readonly action: PolicyDecision["action"];
  readonly elsewhere: PolicyDecision["elsewhere"];
  /** What the rule does with no other key or model; absent: the rule does not look for one. */
  readonly otherwise?: "wait" | "retry" | "stop";
  /** A wait that the endpoint asks for is made instead, if it is longer. */
  readonly followsHint: boolean;
  /** A watchdog cancels the call. */
  readonly endsCall: boolean;
  /** It may be retried more or less often than the general schedule says. */
  readonly isOtherLimit: boolean;
  /** The next model is tried: once the waits would be longer than this; null: after the retries; absent: see `elsewhere`. */
  readonly nextModelAfterMs?: number | null;
  /** The same HTTP 500 so many times in a row ends it. */
  readonly sameErrorStops?: number;
  /** Only a failure before the first content is treated like this: after it, the generation stops or starts again. */
  readonly afterContent?: Policy["afterContent"];
}

export interface Outcome {
  readonly kinds: readonly FailureKind[];
  /** Rules by status; empty: the rule of the kinds. */
  readonly statuses: readonly number[];
  readonly treatment: Treatment;
}

/** In the order of the list. Kinds of one row stand together as long as they get the same treatment. */
const ROWS: readonly (readonly FailureKind[])[] = [
  ["rate_limit"],
  ["usage_limit"],
  ["overloaded", "server"],
  ["timeout", "silent", "stalled"],
  ["network", "stream_broken"],
  ["auth", "permission", "not_found"],
  ["bad_request", "content_filter"],
  ["context_overflow"],
  ["invalid_content"],
  ["unknown"],
];

/** The engine's own watchdogs. */
const WATCHDOGS: ReadonlySet<FailureKind> = new Set<FailureKind>(["silent", "stalled"]);
/** May come after content was given to the consumer. */
const MID_STREAM: ReadonlySet<FailureKind> = new Set<FailureKind>(["stalled", "network", "stream_broken"]);

/** What a policy does about each kind, and for each of its rules by status: the engine's own decisions. */
export function whatHappens(policy: Policy): readonly Outcome[] {
  const byKind = ROWS.flatMap((kinds) =>
    grouped(kinds.map((kind) => ({ kinds: [kind], statuses: [], treatment: treatmentOf(policy, typical(kind)) }))),
  );
  const statuses = Object.keys(policy.statuses).map(Number);
  const byStatus = statuses.map((status) => {
    const failure = classify({ status }, {});
    return { kinds: [failure.kind], statuses: [status], treatment: treatmentOf(policy, failure) };
  });
  return [...byKind, ...grouped(byStatus)];
}

/** A failure of this kind as it usually is, without a status: rules by status have rows of their own. */
function typical(kind: FailureKind): Failure {
  return {
    kind,
    scope: DEFAULT_SCOPE[kind],
    retryable: isUsuallyRetryable(kind),
    message: "",
    status: undefined,
    code: undefined,
    hintMs: undefined,
    evidence: "",
    confidence: "certain",
    target: undefined,
    cause: undefined,
  };
}

function treatmentOf(policy: Policy, failure: Failure): Treatment {
  const { action, elsewhere } = decisionOf(policy, failure);
  const isWaiting = action.type === "retry";
  const { fallback, honourHints, sameServerError } = policy;
  const rule = policy.statuses[failure.status ?? 0] ?? policy.rules[failure.kind];
  const general = policy.schedules.general;
  const usual = general === undefined ? null : schedule(general).maxRetries;
  const movesLater = isWaiting && !elsewhere.includes("model");
  return {
    action,
    elsewhere,
    ...(rule.action === "elsewhere" && { otherwise: rule.otherwise }),
    endsCall: WATCHDOGS.has(failure.kind),
    isOtherLimit: isWaiting && action.maxRetries !== usual,
    followsHint: isWaiting && honourHints && (failure.kind === "rate_limit" || failure.kind === "usage_limit"),
    ...(movesLater && fallback.when === "long-wait" && { nextModelAfterMs: shorter(fallback) }),
    ...(movesLater && fallback.when === "after-retries" && action.maxRetries !== null && { nextModelAfterMs: null }),
    ...(isWaiting && failure.kind === "server" && sameServerError !== null && { sameErrorStops: sameServerError }),
    ...(isWaiting && MID_STREAM.has(failure.kind) && { afterContent: policy.afterContent }),
  };
}

function shorter({ longWaitMs, patienceMs }: Policy["fallback"]): number {
  return patienceMs === null ? longWaitMs : Math.min(longWaitMs, patienceMs);
}

/** Joins those with the same treatment. What only one of them adds is said of all: it names its own condition. */
function grouped(outcomes: readonly Outcome[]): readonly Outcome[] {
  const joined: Outcome[] = [];
  for (const one of outcomes) {
    const at = joined.findIndex(({ treatment }) => keyOf(treatment) === keyOf(one.treatment));
    const like = joined[at];
    if (like === undefined) joined.push(one);
    else
      joined[at] = {
        kinds: [...new Set([...like.kinds, ...one.kinds])],
        statuses: [...like.statuses, ...one.statuses],
        treatment: { ...like.treatment, ...one.treatment },
      };
  }
  return joined;
}

function keyOf({ action, elsewhere, otherwise, followsHint, nextModelAfterMs }: Treatment): string {
  // Why it stops is of no interest here.
  return JSON.stringify([
    action.type === "stop" ? "stop" : action,
    elsewhere,
    otherwise,
    followsHint,
    nextModelAfterMs,
  ]);
}
