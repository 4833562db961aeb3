import type { FailureKind } from "../model/failure.ts";
import { SAID } from "./other-languages.ts";
import type { Case } from "./verdict.ts";
import { near, wording } from "./wording.ts";

/** What the words about a limit mean (B2): the same sentence may be a throttle here and a stop there. */
export interface QuotaFinding {
  readonly kind: Extract<FailureKind, "rate_limit" | "usage_limit" | "overloaded">;
  readonly retryable: boolean;
  readonly evidence: string;
}

/** Money, and quotas that are not there: no wait mends these. */
const MONEY = wording(
  /extra usage|trial[^\n]{0,12}(?:ended|expired)|for (?:the|your) (?:free )?trial\b|insufficient[ _-](?:account )?(?:credit|balance|fund|quota)/,
  /credit balance/,
  /(?:out of|no|not enough|run out of|used (?:up )?all|add|purchase|buy|requires? more|exhausted|exceeded|consumed)[^\n]{0,30}\bcredits?\b/,
  /credits?[^\n]{0,24}(?:required|exhausted|depleted|insufficient|expired|used up|run out|ran out)/,
  /not enough (?:balance|funds|quota)|(?:negative|low|zero|no|out of) (?:\w{1,12} )?balance/,
  /balance[^\n]{0,16}(?:insufficient|too low|not enough|exhausted|negative)|billing (?:hard )?limit/,
  /billing[^\n]{0,24}(?:disabled|inactive|not active|enabled)|check your billing|(?:valid|add an?|no) credit card|payment (?:required|failed)/,
  /past due|overdue|in arrears|arrearage|(?:spend(?:ing)?|cost|dollar|usd)[ _-](?:limit|cap)\b/,
  /budget[^\n]{0,24}(?:exceeded|exhausted|reached)|(?:exceed|over)[^\n]{0,16}budget|top[ -]?up your|recharge/,
  /(?:purchase|buy) (?:more|additional)\b|(?:need|requires?) an? (?:paid|premium|pro|plus|higher) (?:plan|account|subscription|tier)|have any[^\n]{0,12}credits|run out of (?:tokens|requests|messages)|used (?:up )?all (?:of )?(?:your|today's|this (?:week|month)'s|the (?:free|daily|monthly))|payment[ _](?:instrument|method)|quota (?:is )?not enough|can only afford|subscription[^\n]{0,30}(?:expired|insufficient|inactive)/,
);
const NO_QUOTA =
  /quota_limit_value["']?\W{0,4}(?:value)?[":' =]{1,5}0\b|\blimit["']?:? ?0(?![.,]?\d| ?\/)|quota of 0\b|quota[^\n]{0,12}is 0(?![.\d])|(?:n't| not) have an? free (?:\w{1,12} )?(?:tier|quota)|not (?:available|included) (?:in|on) the free (?:tier|plan)/;
const FREE_TIER_USED =
  /free[ -](?:allocated |tier |trial )*(?:quota|usage|allocation|credits?|limit)[^\n]{0,30}(?:exceeded|exhausted|used|reached)|free tier of the model/;

/** A rate: it frees itself within a minute. */
const RATE = wording(
  /per[ _-]?(?:min|sec|hour)|for the hour|\/ ?(?:min|sec)|\b(?:rpm|tpm|tps|qps|rps)\b|token rate limit|concurren/,
  /too (?:quickly|fast|frequent)|slow down|burst|requests? rate|每分钟|每秒|频率|频繁|速率|并发|限流/,
);
const PERIOD = wording(
  /per[ _-]?(?:day|week|month|24[ -]?h)|\b(?:daily|weekly|monthly|hourly)/,
  /\b\d{1,2}[ -]?(?:hour|day)s?\b[^\n]{0,12}(?:limit|usage|window|quota)|\b[rt]pd\b/,
  /(?:this|per|the|your|billing) (?:billing )?(?:month|cycle|week)\b|for today|until tomorrow|today's/,
  SAID.period,
);
/** Names of quotas, as Google writes them: no short wait beside them is meant for such a window. */
const PERIOD_ID = /per_?(?:day|month|week)(?:per|_|-|\b)/;
/** A day may be a rolling window, which frees itself bit by bit; a week or a month is not waited for. */
const LONG_PERIOD = /\b(?:weekly|monthly) (?:\w{1,12} )?(?:limit|quota)|\bsession limit/;
/** A short wait beside a window of hours may be its end; beside one of these it is not. */
const DAYS = /\b(?:dai|days?\b|week|month|24[ -]?h)/;
const PERIOD_LIMIT = wording(
  near(/\b(?:daily|weekly|monthly|hourly)/, /limit|quota|allowance/, 24),
  near(/limit|quota|allowance/, /per (?:day|week|month)|this month/, 24),
);
/** Wordings of a plan that is used up; a short wait named beside them makes them a throttle. */
const PLAN = wording(
  /usage limits?\b|quota (?:has been |is |was )?(?:exceeded|exhausted|reached)/,
  /(?:exceed|exhaust|reach|use)\w{0,3}(?: up)? (?:your|the|its|this|all)[^\n]{0,24}(?:quota|allowance|plan)\b/,
  /plan'?s? limit|out of[^\n]{0,24}quota|no quota|limit reached for this|replenish|\b(?:account|plan|subscription|key)(?:'s)? limit (?:has been |was |is )?(?:exceeded|reached)/,
  /subscription rate limit|(?:limit|quota)[^\n]{0,16}(?:will reset|resets)\b|(?:hit|reached) your[^\n]{0,24}limit/,
  /not (?:included|available|supported|offered) (?:in|on|with|for|under) your (?:current |\w{1,12} )?(?:plan|tier|subscription)|(?:plan|tier|subscription) (?:does not|doesn't) (?:include|support|allow|cover)|regain access|key limit exceeded|key with a higher limit|free limit reached|(?:service|model)[^\n]{0,20}(?:been |is )?paused/,
);
/** An offer to pay more; beside the advice to wait it is only an advertisement. */
const UPGRADE = /\bupgrade\b(?! to (?:the )?(?:latest|new))/;
const WAIT = /\bwait\b|try again|\bretry\b|slow down|a moment/;
/** OpenAI's sentence for an empty account, which others put a sentence about many requests in front of. */
const METRIC = /quota exceeded for (?:quota metric|[\w.]{3,60}\/\w{0,60}(?:requests|tokens))/;
const CHECK_PLAN = /check your plan and billing/;
/** A wait in words, without a figure. */
const MOMENT =
  /(?:(?:wait|(?:again|retry) (?:in|after)) (?:for )?a (?:moment|minute|bit|(?:brief|short) wait|few (?:seconds|minutes))|after 0s)\b/;
const RESETS = /(?:limit|quota)[^\n]{0,24}resets?\b/;
const CAPACITY = wording(
  /(?:out of|no|at|over|insufficient|peak|lacks?|exceed\w{0,3}|limited)[ _-](?:\w{1,12} )?capacity/,
  /capacity[^\n]{0,16}(?:exhausted|exceed|reached|constrain|limit)|(?:high|heavy) (?:demand|traffic|load)/,
  /overload|\bbusy\b|queue position|\b(?:worker|replica|instance|node)\b[^\n]{0,30}limit reached|temporarily unavailable|\bno (?:\w{1,12} ){0,3}accounts? (?:is |are )?(?:currently )?available/,
  SAID.capacity,
);
const OWN_CAPACITY = /your capacity|your quota/;
/** "Limit 7000, Used 0, Requested ~12903". */
const LIMIT_AND_REQUESTED = /\blimit:? (\d[\d,]{0,14})[^\n]{0,40}?requested:? ~?(\d[\d,]{0,14})/;

const HOUR_MS = 3_600_000;
/** A plan's reset this near is a throttle in other words (Code Assist: "will reset after 0s"). */
const NEAR_RESET_MS = 300_000;

const THROTTLE = (evidence: string): QuotaFinding => ({ kind: "rate_limit", retryable: true, evidence });
const STOP = (evidence: string): QuotaFinding => ({ kind: "usage_limit", retryable: false, evidence });

/**
 * Reads the words of something that is known to be about a limit. Undefined: they add nothing. `isUsedUp`: a code or status
 * already shows that a quota is used up.
 */
export function readQuota(
  { text, facts, provider, headers, hintMs }: Case,
  isUsedUp: boolean,
): QuotaFinding | undefined {
  const quotas = facts.quotas.toLowerCase();
  if (neverFits(text)) return { kind: "rate_limit", retryable: false, evidence: "quota:never-fits" };
  if (NO_QUOTA.test(text) || NO_QUOTA.test(quotas)) return STOP("quota:none");
  if (FREE_TIER_USED.test(text) && hintMs === undefined) return STOP("quota:free-tier");
  // Alibaba words its per-minute throttle exactly as OpenAI words an empty account.
  if (isAlibaba(provider, text) && /exceeded your current quota|allocated quota exceeded/.test(text)) {
    return THROTTLE("quota:alibaba-throttle");
  }
  if (PERIOD.test(quotas) || PERIOD_ID.test(text)) return STOP("quota:period");
  if (RATE.test(quotas) || RATE.test(text)) {
    // Azure asks for a day's wait where its limit per minute is meant; a header or a field may be any number.
    const isStructure = headers.get("retry-after") !== undefined || facts.retryDelay !== undefined;
    const isSaid = !isStructure && !/exceeded[a-z ]{1,5}token rate/.test(text);
    const isLong = isSaid && (hintMs ?? 0) > HOUR_MS;
    return isLong ? STOP("quota:long-wait") : THROTTLE("quota:rate");
  }
  const period = PERIOD.test(text);
  // What an offer to pay stands beside frees itself: "… on requests per day. Please try again in 7m12s. Add a payment method".
  if (saysMoney(text) && !(period && isShort(text, hintMs))) return STOP("quota:money");
  // A proxy may pass on its upstream's code beside words of its own.
  if (isUsedUp && !(SAID.capacity.test(text) && !saysPlan(text))) return undefined;
  if (saysCapacity(text)) return { kind: "overloaded", retryable: true, evidence: "quota:capacity" };
  // Google names the metric, and not the minute that it is counted over.
  if (!period && METRIC.test(text) && !CHECK_PLAN.test(text)) return THROTTLE("quota:metric");
  // "Too many requests. You have exceeded your usage limits": without a period that is a throttle in grand words.
  if (period || (saysPlan(text) && (CHECK_PLAN.test(text) || !/too many requests(?!: quota)/.test(text)))) {
    const isMoment = !period && hintMs === undefined && MOMENT.test(text) && !CHECK_PLAN.test(text);
    return isMoment || (isShort(text, hintMs) && !LONG_PERIOD.test(text))
      ? THROTTLE("quota:short-wait")
      : STOP(
          period && (hintMs === undefined || DAYS.test(text) || !text.includes("hour")) ? "quota:period" : "quota:plan",
        );
  }
  if ((hintMs ?? 0) > HOUR_MS) return STOP("quota:long-wait");
  return undefined;
}

/** Which wording makes a 401 or 403 really a billing stop; undefined: none. */
export function stopBehindDenial(text: string): string | undefined {
  if (RATE.test(text)) return undefined;
  if (saysMoney(text)) return "quota:money";
  if (NO_QUOTA.test(text)) return "quota:none";
  if (PERIOD.test(text)) return "quota:period";
  return saysPlan(text) ? "quota:plan" : undefined;
}

function saysPlan(text: string): boolean {
  return PLAN.test(text) || (UPGRADE.test(text) && !WAIT.test(text));
}

/** The same for a 400, whose words may be about anything ("upgrade your client"): a period must be one of a limit. */
export function stopBehindBadRequest(text: string): string | undefined {
  if (saysMoney(text)) return "quota:money";
  return PERIOD_LIMIT.test(text) && /reach|exceed|exhaust|used up/.test(text) ? "quota:period" : undefined;
}

export function saysMoney(text: string): boolean {
  return MONEY.test(text) || SAID.money.test(text);
}

export function saysCapacity(text: string): boolean {
  return CAPACITY.test(text) && !OWN_CAPACITY.test(text);
}

function isShort(text: string, hintMs: number | undefined): boolean {
  return (hintMs ?? Number.POSITIVE_INFINITY) < (RESETS.test(text) ? NEAR_RESET_MS : HOUR_MS);
}

function neverFits(text: string): boolean {
  const found = LIMIT_AND_REQUESTED.exec(text);
  if (found === null) return false;
  const limit = withoutCommas(found[1] as string);
  return limit > 0 && withoutCommas(found[2] as string) > limit;
}

function withoutCommas(digits: string): number {
  return Number(digits.replaceAll(",", ""));
}

function isAlibaba(provider: string, text: string): boolean {
  return /dashscope|alibaba|aliyun|qwen|bailian/.test(provider) || /aliyun|alibaba|dashscope/.test(text);
}
