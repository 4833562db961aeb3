import { type Conditions, NORMAL } from "./conditions.ts";

const MINUTE = 60_000;
const DOWN: Conditions = { ...NORMAL, rejected: 1 };
const HOLE: Conditions = { ...NORMAL, lost: 0.9 };
const BROWNOUT: Conditions = { ...NORMAL, rejected: 0.3, slowness: 2 };
const OVERLOADED: Conditions = { ...NORMAL, rejected: 0.8, error: { status: 529, message: "Overloaded" } };
const TIGHT: Conditions = { ...NORMAL, quota: { share: 0.25, periodMs: 10_000 } };
/** 600 calls a minute for 1,000 clients. */
const LIMITED: Conditions = { ...NORMAL, quota: { share: 0.05, periodMs: MINUTE } };
const SLOW: Conditions = { ...NORMAL, slowness: 6 };

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
  /** The first provider before and after the outage. Default: nothing is wrong with it. */
  readonly otherwise?: Conditions;
  /** Calls that each client sends at once when the outage begins, instead of one after another. Default: 0. */
  readonly burst?: number;
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
      "Each client sends two calls at once; three in ten are accepted per minute, the rest get 429 with the time until the next minute.",
    load: 0,
    during: () => LIMITED,
    otherwise: LIMITED,
    outageMs: 1000,
    burst: 2,
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
} satisfies Readonly<Record<string, Outage>>;

export type ScenarioName = keyof typeof OUTAGES;
export type Scenario = Required<Outage> & { readonly name: ScenarioName };

export const SCENARIO_NAMES = Object.keys(OUTAGES) as readonly ScenarioName[];

export function scenarioOf(name: ScenarioName): Scenario {
  // Twice the usual outage afterwards: long enough to see a second collapse.
  const usual = { outageMs: MINUTE, hasFallback: false, otherwise: NORMAL, burst: 0, afterMs: 2 * MINUTE };
  return { name, ...usual, ...OUTAGES[name] };
}
