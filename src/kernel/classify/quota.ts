import type { FailureKind } from "../model/failure.ts";
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
  /extra usage|trial[^\n]{0,12}(?:ended|expired)|insufficient[ _-](?:account )?(?:credit|balance|fund|quota)/,
  /credit balance/,
  /(?:out of|no|not enough|run out of|used (?:up )?all|add|purchase|buy|requires? more|exhausted|exceeded|consumed)[^\n]{0,30}\bcredits?\b/,
  /credits?[^\n]{0,24}(?:required|exhausted|depleted|insufficient|expired|used up|run out|ran out)/,
  /not enough (?:balance|funds|quota)|(?:negative|low|zero|no|out of) (?:\w{1,12} )?balance/,
  /balance[^\n]{0,16}(?:insufficient|too low|not enough|exhausted|negative)|billing (?:hard )?limit/,
  /billing[^\n]{0,24}(?:disabled|inactive|not active|enabled)|check your billing|payment (?:required|failed)/,
  /past due|overdue|in arrears|arrearage|spend(?:ing)?[ _-](?:limit|cap)/,
  /budget[^\n]{0,24}(?:exceeded|exhausted|reached)|(?:exceed|over)[^\n]{0,16}budget|top[ -]?up your|recharge/,
  /quota (?:is )?not enough|can only afford|subscription[^\n]{0,30}(?:expired|insufficient|inactive)/,
);
const CHINESE_MONEY = wording(
  /(?:额度|余额|余量|配额|积分|点数|费用)[^\n]{0,10}(?:不足|用完|用尽|耗尽|已用|超限|为0)|欠费|充值|使用上限|限额将在|免费额度|套餐[^\n]{0,12}(?:用完|到期|耗尽|不足)/,
  /未配置订阅/,
);
const NO_QUOTA = /\blimit["']?:? ?0(?![.,]?\d)|quota of 0\b|quota[^\n]{0,12}is 0(?![.\d])/;
const FREE_TIER_USED =
  /free[ -](?:allocated |tier |trial )*(?:quota|usage|allocation|credits?|limit)[^\n]{0,30}(?:exceeded|exhausted|used|reached)|free tier of the model/;

/** A rate: it frees itself within a minute. */
const RATE = wording(
  /per[ _-]?(?:min|sec)|\/ ?(?:min|sec)|\b(?:rpm|tpm|tps|qps|rps)\b|token rate limit|concurren/,
  /too (?:quickly|fast|frequent)|slow down|burst|requests? rate|每分钟|每秒|频率|频繁|速率|并发|限流/,
);
const PERIOD = wording(
  /\bper[ _-]?(?:day|week|month|hour)|perday|perweek|permonth|perhour|\b(?:daily|weekly|monthly|hourly)/,
  /\b\d{1,2}[ -]?(?:hour|day)s?\b[^\n]{0,12}(?:limit|usage|window|quota)|\b[rt]pd\b|每(?:日|天|周|月)|今日/,
  /小时[^\n]{0,8}上限/,
);
const PERIOD_LIMIT = near(/\b(?:daily|weekly|monthly|hourly)/, /limit|quota|allowance/, 24);
/** Wordings of a plan that is used up; a short wait named beside them makes them a throttle. */
const PLAN = wording(
  /usage limits?\b|quota (?:exceeded|exhausted|reached|limit)/,
  /(?:exceed|exhaust|reach|use)\w{0,3}(?: up)? (?:your|the|its|this|all)[^\n]{0,24}(?:quota|allowance|plan)\b/,
  /plan'?s? limit|\bupgrade\b|out of[^\n]{0,24}quota|no quota|limit reached for this|replenish/,
  /subscription rate limit|(?:limit|quota)[^\n]{0,16}(?:will )?resets?\b|(?:hit|reached) your[^\n]{0,24}limit/,
  /regain access|key limit exceeded|free limit reached/,
);
const RESETS = /(?:limit|quota)[^\n]{0,24}resets?\b/;
const CAPACITY = wording(
  /(?:out of|no|at|over|insufficient|peak|lacks?|exceed\w{0,3}|limited)[ _-](?:\w{1,12} )?capacity/,
  /capacity[^\n]{0,16}(?:exceeded|exhausted|exceed|reached|constrain|limit)|high (?:demand|traffic|load)/,
  /overload|\bbusy\b|负载|繁忙|拥挤|饱和/,
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
export function readQuota({ text, facts, provider, hintMs }: Case, isUsedUp: boolean): QuotaFinding | undefined {
  const quotas = facts.quotas.toLowerCase();
  if (neverFits(text)) return { kind: "rate_limit", retryable: false, evidence: "quota:never-fits" };
  if (NO_QUOTA.test(text)) return STOP("quota:none");
  if (FREE_TIER_USED.test(text) && hintMs === undefined) return STOP("quota:free-tier");
  // Alibaba words its per-minute throttle exactly as OpenAI words an empty account.
  if (isAlibaba(provider, text) && /exceeded your current quota|allocated quota exceeded/.test(text)) {
    return THROTTLE("quota:alibaba-throttle");
  }
  if (PERIOD.test(quotas)) return STOP("quota:period");
  if (RATE.test(quotas) || RATE.test(text)) return THROTTLE("quota:rate");
  if (saysMoney(text)) return STOP("quota:money");
  if (isUsedUp) return undefined;
  if (saysCapacity(text)) return { kind: "overloaded", retryable: true, evidence: "quota:capacity" };
  const period = PERIOD.test(text);
  // "Too many requests. You have exceeded your usage limits": without a period that is a throttle in grand words.
  if (period || (PLAN.test(text) && !text.includes("too many requests"))) {
    return isShort(text, hintMs) ? THROTTLE("quota:short-wait") : STOP(period ? "quota:period" : "quota:plan");
  }
  if ((hintMs ?? 0) >= HOUR_MS) return STOP("quota:long-wait");
  return undefined;
}

/** Which wording makes a 401 or 403 really a billing stop; undefined: none. */
export function stopBehindDenial(text: string): string | undefined {
  if (RATE.test(text)) return undefined;
  if (saysMoney(text)) return "quota:money";
  if (NO_QUOTA.test(text)) return "quota:none";
  if (PERIOD.test(text)) return "quota:period";
  return PLAN.test(text) ? "quota:plan" : undefined;
}

/** The same for a 400, whose words may be about anything ("upgrade your client"): a period must be one of a limit. */
export function stopBehindBadRequest(text: string): string | undefined {
  if (saysMoney(text)) return "quota:money";
  return PERIOD_LIMIT.test(text) && /reach|exceed|exhaust|used up/.test(text) ? "quota:period" : undefined;
}

export function saysMoney(text: string): boolean {
  return MONEY.test(text) || CHINESE_MONEY.test(text);
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
