import type { Failure } from "../model/failure.ts";
import { InvalidInput } from "../model/invalid-input.ts";
import type { ClassifyRule } from "../model/policy.ts";
import type { Ports } from "../model/ports.ts";
import type { Target } from "../model/target.ts";
import { describeProblem } from "./describe-problem.ts";
import { addCode, Facts, isFailing } from "./facts.ts";
import { findCause } from "./find-cause.ts";
import { findConfidence } from "./find-confidence.ts";
import { type FoundBelow, findGivenUp, givenUpInHeaders } from "./find-given-up.ts";
import { findScope } from "./find-scope.ts";
import { innerStatus } from "./find-status.ts";
import { type Finding, recallFinding, rememberFinding } from "./finding.ts";
import { readHint, readReset } from "./hint.ts";
import { BY_POLICY, matchRule } from "./match-rule.ts";
import { plainText } from "./plain-text.ts";
import { readHeaders } from "./read-headers.ts";
import { readProblem } from "./read-problem.ts";
import { type Case, type Verdict, verdict } from "./verdict.ts";

export interface ClassifyContext {
  /** The provider's name. Default: the target's. The same sentence means different things at different providers. */
  readonly provider?: string;
  readonly target?: Target;
  /** Epoch milliseconds. Without it HTTP dates and absolute reset times give no hint. */
  readonly wallNowMs?: number;
  /** The policy's own rules, tried first. */
  readonly rules?: readonly ClassifyRule[];
}

type WallClock = Pick<Ports, "wallNow">;

const NO_CONTEXT: ClassifyContext = {};
const HOUR_MS = 3_600_000;
const NO_RULES: readonly ClassifyRule[] = [];

/** Facts that nothing refers to any more. */
let spare: Facts | undefined;

/**
 * What went wrong, from anything that was thrown or received. Total and linear: no problem makes it throw (E7). An
 * invalid context is the caller's mistake and throws {@link InvalidInput}.
 */
export function classify(problem: unknown, context: ClassifyContext = NO_CONTEXT): Failure {
  checkContext(context);
  const { target, provider = target?.provider ?? "", wallNowMs, rules = NO_RULES } = context;
  // Without a clock every moment is NaN, and no wait until then is usable.
  return classifyFor(problem, provider, target, rules, { wallNow: () => wallNowMs ?? Number.NaN });
}

/** The same for the engine, whose context needs no check. The clock is only read if the problem names a moment. */
export function classifyFor(
  problem: unknown,
  provider: string,
  target: Target | undefined,
  rules: readonly ClassifyRule[],
  clock: WallClock,
): Failure {
  const found = findGivenUp(problem);
  const failure = classifyFacts(problem, provider, target, rules, clock);
  return found === undefined ? failure : adopt(failure, found);
}

/** A layer below has classified this already, and knew more; only the policy's own rules have the first word here as well. */
function adopt(failure: Failure, { below, failure: inner }: FoundBelow): Failure {
  if (inner === undefined || failure.evidence.startsWith(BY_POLICY)) return { ...failure, below };
  const { target, cause } = failure;
  // Another version of the package may not say how sure it is.
  return { ...inner, confidence: inner.confidence ?? "likely", target, cause, below };
}

function classifyFacts(
  problem: unknown,
  provider: string,
  target: Target | undefined,
  rules: readonly ClassifyRule[],
  clock: WallClock,
): Failure {
  const facts = spare ?? new Facts();
  // A getter of the problem may classify something itself.
  spare = undefined;
  readProblem(problem, facts);
  const known = rules.length === 0 ? recallFinding(facts, provider) : undefined;
  const { kind, scope, retryable, status, code, hintMs, evidence, confidence, below } =
    known ?? find(facts, provider, rules, clock);
  const failure: Failure = {
    kind,
    scope,
    retryable,
    message: facts.message ?? describeProblem(problem),
    status,
    code,
    hintMs,
    evidence,
    confidence,
    target,
    cause: problem,
  };
  // New facts may be remembered with their finding.
  if (known !== undefined) {
    facts.clear();
    spare = facts;
  }
  return below === undefined ? failure : { ...failure, below };
}

function find(facts: Facts, provider: string, rules: readonly ClassifyRule[], clock: WallClock): Finding {
  const headers = readHeaders(facts.headers);
  if (facts.codes.length === 0) addCode(facts, headers.get("x-amzn-errortype"));
  const text = plainText(facts.texts);
  const now = clock.wallNow();
  const status = innerStatus(facts.status, facts.texts);
  const c: Case = {
    facts,
    status,
    ownStatus: status,
    text,
    headers,
    provider: provider.toLowerCase(),
    hintMs: readHint(facts, headers, text, now),
    hasBegun: facts.status !== undefined && !isFailing(facts.status),
  };
  const decided = matchRule(rules, c) ?? heed(findCause(c), c);
  const finding: Finding = {
    kind: decided.kind,
    scope: findScope(decided, c),
    retryable: decided.retryable,
    status: statusOf(decided, c),
    code: decided.code ?? facts.codes[0],
    hintMs: hintFor(decided, c, now),
    evidence: decided.evidence,
    confidence: findConfidence(decided, c),
    below: givenUpInHeaders(headers),
  };
  if (rules.length === 0) rememberFinding(facts, provider, finding);
  return finding;
}

function checkContext(context: ClassifyContext): void {
  if (typeof context !== "object" || context === null) throw new InvalidInput("context", context, "an object");
  const { provider, rules } = context;
  if (provider !== undefined && typeof provider !== "string")
    throw new InvalidInput("context.provider", provider, "a string");
  if (rules !== undefined && !Array.isArray(rules)) throw new InvalidInput("context.rules", rules, "an array");
}

/** The endpoint's own word on whether to try again: a flag on its event, or `x-should-retry`. */
function heed(decided: Verdict, c: Case): Verdict {
  const header = c.headers.get("x-should-retry");
  const asked = header === "true" ? true : header === "false" ? false : c.facts.retryable;
  if (asked === undefined || asked === decided.retryable) return decided;
  if (decided.kind === "unknown") return { ...decided, retryable: asked, evidence: "flag:retryable", weight: 3 };
  // Who asks for a retry has not been stopped by us.
  if (decided.kind === "aborted") return verdict("unknown", "flag:retryable", true);
  return asked && isSure(decided) ? decided : { ...decided, retryable: asked };
}

/**
 * A yes does not make a full window, an empty account or a bad key worth a retry. Words alone are not enough for a bad key; for
 * a full window they are (E5).
 */
function isSure({ kind, evidence }: Verdict): boolean {
  if (kind === "context_overflow") return true;
  return kind !== "bad_request" && !evidence.startsWith("text:");
}

/** What broke after a good status may name any other in its text: a page "Error 404", say. */
function statusOf({ kind }: Verdict, c: Case): number | undefined {
  if (kind === "stream_broken" || isFailing(c.facts.status)) return c.facts.status;
  return c.status ?? c.facts.status;
}

function hintFor(decided: Verdict, c: Case, now: number): number | undefined {
  switch (decided.kind) {
    case "rate_limit":
    case "usage_limit": {
      const hintMs = c.hintMs ?? readReset(c.facts, c.headers, now);
      // A short wait beside a window of a day is not meant for that window.
      return decided.evidence === "quota:period" && (hintMs ?? 0) < HOUR_MS ? undefined : hintMs;
    }
    case "context_overflow":
    case "content_filter":
    case "aborted":
      return undefined;
    case "bad_request":
      // In words it is the wait of a router which rests the account: the request does not get better by it.
      return c.hintMs !== undefined && hasRetryAfter(c) ? c.hintMs : undefined;
    case "timeout":
    case "network":
    case "stream_broken":
      // In words it is a time that is over; a header or a field is a wait that the endpoint asks for.
      return c.hintMs === undefined ? undefined : readHint(c.facts, c.headers, "", now);
    default:
      return c.hintMs;
  }
}

function hasRetryAfter({ headers }: Case): boolean {
  return (headers.get("retry-after") ?? headers.get("retry-after-ms")) !== undefined;
}
