import { type Conditions, NORMAL } from "./conditions.ts";

const MINUTE = 60_000;
const DOWN: Conditions = { ...NORMAL, rejected: 1 };
const HOLE: Conditions = { ...NORMAL, lost: 0.9 };
const BROWNOUT: Conditions = { ...NORMAL, rejected: 0.3, slowness: 2 };
const OVERLOADED: Conditions = { ...NORMAL, rejected: 0.8, errors: [{ status: 529, message: "Overloaded" }] };
const TIGHT: Conditions = { ...NORMAL, quota: { share: 0.25, periodMs: 10_000 } };
/** 600 calls a minute for 1,000 clients. */
const LIMITED: Conditions = { ...NORMAL, quota: { share: 0.05, periodMs: MINUTE } };
const SLOW: Conditions = { ...NORMAL, slowness: 6 };
const LIMIT = { status: 429, message: "Rate limit reached" };
const UNAVAILABLE = { status: 503, message: "Service Unavailable" };
const OVERLOAD = { status: 529, message: "Overloaded" };
const DRIZZLE: Conditions = { ...NORMAL, rejected: 0.05, errors: [LIMIT, UNAVAILABLE, OVERLOAD], cut: 0.01 };
const HINTS: Conditions = { ...DRIZZLE, errors: [{ ...LIMIT, retryAfterMs: 1000 }, UNAVAILABLE, OVERLOAD] };
/** How long a provider takes to full capacity in `slow-start`, and what it starts with. */
const WARM_UP_MS = MINUTE;
const COLD_SHARE = 0.1;

/** The same conditions for the whole run. What is measured lasts five minutes; the last one is for calls that are still out. */
function drizzle(conditions: Conditions): Omit<Outage, "title" | "description"> {
  return {
    load: 0.5,
    before: conditions,
    during: () => conditions,
    after: () => conditions,
    outageMs: 4 * MINUTE,
    afterMs: MINUTE,
    isConstant: true,
  };
}

/** An outage: how busy the provider is, what breaks, for how long. */
interface Outage {
  readonly title: string;
  readonly description: string;
  /** Load as a share of the provider's capacity. */
  readonly load: number;
  /** The first provider during the outage, by the milliseconds since it began. */
  readonly during: (sinceMs: number) => Conditions;
  /** Default: one minute. */
  readonly outageMs?: number;
  /** A second provider that keeps working. Default: none. */
  readonly hasFallback?: boolean;
  /** The first provider before the outage. Default: nothing is wrong with it. */
  readonly before?: Conditions;
  /** The first provider afterwards, by the milliseconds since the outage ended. Default: nothing is wrong with it. */
  readonly after?: (sinceMs: number) => Conditions;
  /** How long after the outage the provider still takes to full capacity; recovery counts from then. Default: 0. */
  readonly settleMs?: number;
  /**
   * How clients begin. `steady`: one by one, long before the outage. `at-once`: all with one request when the outage begins, then as
   * usual. `burst`: with all their requests at once when it begins, and no more after that. Default: `steady`.
   */
  readonly start?: "steady" | "at-once" | "burst";
  /** The conditions are the same in the whole run: there is nothing to peak or recover from. Default: false. */
  readonly isConstant?: boolean;
  /** How long the run continues after the outage. Default: two minutes. */
  readonly afterMs?: number;
}

const OUTAGES = {
  "fast-503": {
    title: "Fast 503",
    description: "Every call fails at once with 503.",
    load: 0.4,
    during: () => DOWN,
  },
  "black-hole": {
    title: "Black hole",
    description: "90 % of all calls get lost: no answer, no error, only the time limit.",
    load: 0.7,
    during: () => HOLE,
  },
  brownout: {
    title: "Brownout",
    description: "30 % of all calls fail with 503, the rest take twice as long.",
    load: 0.4,
    during: () => BROWNOUT,
  },
  "529-wave": {
    title: "529 wave",
    description: "80 % of all calls fail with 529, in waves of 20 s with 10 s between them.",
    load: 0.6,
    during: (sinceMs) => (sinceMs % 30_000 < 20_000 ? OVERLOADED : NORMAL),
  },
  flapping: {
    title: "Flapping",
    description: "Down for 5 s, up for 5 s, again and again.",
    load: 0.5,
    during: (sinceMs) => (sinceMs % 10_000 < 5000 ? DOWN : NORMAL),
  },
  "quota-cliff": {
    title: "Quota cliff",
    description: "Half of the usual calls are accepted; the rest get 429 with the time until the next 10 s.",
    load: 0.5,
    during: () => TIGHT,
  },
  "burst-429": {
    title: "Burst of 429",
    description:
      "All calls come at once; three in ten are accepted per minute, the rest get 429 with the time until the next minute.",
    load: 0,
    before: LIMITED,
    during: () => LIMITED,
    after: () => LIMITED,
    outageMs: 1000,
    start: "burst",
    afterMs: 5 * MINUTE,
  },
  "slow-tokens": {
    title: "Slow tokens",
    description: "Answers take six times as long, so slots run out and the queue fills.",
    load: 0.4,
    during: () => SLOW,
  },
  "regional-outage": {
    title: "Regional outage",
    description: "The first provider is gone; a second one of the same size keeps working.",
    load: 0.5,
    during: () => HOLE,
    outageMs: 2 * MINUTE,
    hasFallback: true,
  },
  drizzle: {
    title: "Drizzle",
    description:
      "5 % of all calls fail at random with 429, 503 or 529, and 1 % of the connections break, all the time.",
    ...drizzle(DRIZZLE),
  },
  "drizzle-hints": {
    title: "Drizzle with hints",
    description: "As drizzle, and every 429 comes with a hint of 1 s.",
    ...drizzle(HINTS),
  },
  "long-outage": {
    title: "Long outage",
    description: "Every call fails at once with 503, for longer than people wait.",
    load: 0.4,
    during: () => DOWN,
    outageMs: 20 * MINUTE,
  },
  "thundering-start": {
    title: "Thundering start",
    description: "All clients send their first request at the same moment; nothing is wrong with the provider.",
    load: 0.4,
    during: () => NORMAL,
    outageMs: 1000,
    start: "at-once",
  },
  "slow-start": {
    title: "Slow start",
    description:
      "Every call fails at once with 503; then the provider takes a minute to come back from a tenth of its slots to all of them.",
    load: 0.4,
    during: () => DOWN,
    after: (sinceMs) => ({ ...NORMAL, capacity: Math.min(1, COLD_SHARE + (1 - COLD_SHARE) * (sinceMs / WARM_UP_MS)) }),
    settleMs: WARM_UP_MS,
    afterMs: WARM_UP_MS + 2 * MINUTE,
  },
} satisfies Readonly<Record<string, Outage>>;

const USUAL = {
  outageMs: MINUTE,
  hasFallback: false,
  before: NORMAL,
  after: () => NORMAL,
  settleMs: 0,
  start: "steady",
  isConstant: false,
} as const;

export type ScenarioName = keyof typeof OUTAGES;
export type Scenario = Required<Outage> & { readonly name: ScenarioName };

export const SCENARIO_NAMES = Object.keys(OUTAGES) as readonly ScenarioName[];

export function scenarioOf(name: ScenarioName): Scenario {
  // Twice the usual outage afterwards: long enough to see a second collapse.
  return { name, ...USUAL, afterMs: 2 * MINUTE, ...OUTAGES[name] };
}
