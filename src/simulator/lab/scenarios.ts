import { CLEAR, outage, type Sky, type Weather } from "./sky.ts";

/** An outage to live through: how busy the world is, what breaks, for how long. */
export interface Scenario {
  readonly name: ScenarioName;
  readonly title: string;
  readonly story: string;
  /** Offered load as a share of what the provider can do. */
  readonly load: number;
  readonly outageMs: number;
  readonly weather: (durationMs: number) => Weather;
  /** A second provider that stays well, to fall back to. */
  readonly hasFallback: boolean;
}

export const SCENARIO_NAMES = [
  "fast-503",
  "black-hole",
  "brownout",
  "529-wave",
  "flapping",
  "quota-cliff",
  "slow-tokens",
  "regional-outage",
] as const;

export type ScenarioName = (typeof SCENARIO_NAMES)[number];

const MINUTE = 60_000;
const sky = (changes: Partial<Sky>): Sky => ({ ...CLEAR, ...changes });
const DOWN = sky({ refused: 1 });
const HOLE = sky({ lost: 0.9 });
const BROWN = sky({ refused: 0.3, slowness: 2 });
const WAVE = sky({ refused: 0.8, refusal: { status: 529, message: "Overloaded" } });
const TIGHT = sky({ quota: 0.25 });
const SLOW = sky({ slowness: 6 });

/** Whether a moment lies in the first part of a repeating period. */
const isIn = (sinceMs: number, firstMs: number, periodMs: number): boolean => sinceMs % periodMs < firstMs;

const ALL: readonly Scenario[] = [
  {
    name: "fast-503",
    title: "Fast 503",
    story: "Every call is refused at once with 503.",
    load: 0.4,
    outageMs: MINUTE,
    weather: (ms) => outage(ms, () => DOWN),
    hasFallback: false,
  },
  {
    name: "black-hole",
    title: "Black hole",
    story: "90 % of all calls get lost: no answer, no error, only the time limit.",
    load: 0.7,
    outageMs: MINUTE,
    weather: (ms) => outage(ms, () => HOLE),
    hasFallback: false,
  },
  {
    name: "brownout",
    title: "Brownout",
    story: "30 % of all calls are refused with 503, the rest take twice as long.",
    load: 0.4,
    outageMs: MINUTE,
    weather: (ms) => outage(ms, () => BROWN),
    hasFallback: false,
  },
  {
    name: "529-wave",
    title: "529 wave",
    story: "80 % are refused as overloaded, in waves of 20 s with 10 s between them.",
    load: 0.6,
    outageMs: MINUTE,
    weather: (ms) => outage(ms, (since) => (isIn(since, 20_000, 30_000) ? WAVE : CLEAR)),
    hasFallback: false,
  },
  {
    name: "flapping",
    title: "Flapping",
    story: "Down for 5 s, well for 5 s, again and again.",
    load: 0.5,
    outageMs: MINUTE,
    weather: (ms) => outage(ms, (since) => (isIn(since, 5000, 10_000) ? DOWN : CLEAR)),
    hasFallback: false,
  },
  {
    name: "quota-cliff",
    title: "Quota cliff",
    story: "Half of the usual calls are accepted; the rest get 429 with the time until the next 10 s.",
    load: 0.5,
    outageMs: MINUTE,
    weather: (ms) => outage(ms, () => TIGHT),
    hasFallback: false,
  },
  {
    name: "slow-tokens",
    title: "Slow tokens",
    story: "Answers take six times as long, so slots run out and the queue fills.",
    load: 0.4,
    outageMs: MINUTE,
    weather: (ms) => outage(ms, () => SLOW),
    hasFallback: false,
  },
  {
    name: "regional-outage",
    title: "Regional outage",
    story: "The first provider is gone; a second one of the same size stays well.",
    load: 0.5,
    outageMs: 2 * MINUTE,
    weather: (ms) => outage(ms, () => HOLE),
    hasFallback: true,
  },
];

export function scenarioOf(name: ScenarioName): Scenario {
  const found = ALL.find((scenario) => scenario.name === name);
  if (found === undefined) throw new Error(`No such scenario: ${name}`);
  return found;
}
