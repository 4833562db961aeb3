import { z } from "zod";
import type { FailureKind, FailureScope, Policy } from "../../kernel/index.ts";

/** `GET /api/session`: what a page needs first. */
export interface SessionInfo {
  /** Goes with every request that changes something, as the header `x-secondwind-token`. */
  readonly token: string;
  readonly version: string;
  /** The server's clock, epoch milliseconds: countdowns go by it. */
  readonly now: number;
  /** The server needs a key, and this session has given none yet: all else is refused. */
  readonly needsKey: boolean;
  /** No key was found: the simulated provider is in use. */
  readonly isSimulated: boolean;
  /** False: nothing outlives the process. */
  readonly isPersistent: boolean;
  readonly models: readonly ModelInfo[];
  readonly model: string;
  readonly policy: string;
  readonly weather: WeatherView;
}

export interface ModelInfo {
  /** `provider/model`. */
  readonly id: string;
  readonly provider: string;
  /** Epoch milliseconds until which no credential of it may be used. */
  readonly coolingUntil?: number;
}

export const WEATHER_NAMES = ["calm", "drizzle", "storm", "quota", "fault"] as const;

/** `PUT /api/weather`: for the simulated provider. */
export const weatherRequestSchema = z.discriminatedUnion("weather", [
  z.object({ weather: z.enum(["calm", "drizzle", "storm", "quota"]) }),
  z.object({
    weather: z.literal("fault"),
    fault: z.string().min(1).max(64).describe("a behaviour by name, such as `overloaded`"),
  }),
]);
export type WeatherRequest = Readonly<z.infer<typeof weatherRequestSchema>>;

export interface WeatherView {
  readonly weather: (typeof WEATHER_NAMES)[number];
  readonly fault?: string;
  /** The faults that can be chosen, in the order of the menu. */
  readonly faults: readonly { readonly name: string; readonly title: string }[];
}

/** `GET /api/policies`. */
export interface PolicyView {
  readonly name: string;
  readonly isPreset: boolean;
  /** The preset or policy that it started from. */
  readonly from?: string;
  /** Complete, as `definePolicy` makes it. */
  readonly policy: Policy;
}

/** `PUT /api/policies/:name`. The engine's own check decides about `policy`. */
export const policyRequestSchema = z.object({
  from: z.string().max(64).optional(),
  policy: z.record(z.string(), z.unknown()),
});

export const policyNameSchema = z
  .string()
  .regex(/^[\w .-]{1,64}$/, "must be 1 to 64 letters, digits, spaces, . - or _");

/** `POST /api/policies/estimate`. */
export const estimateRequestSchema = z.object({ policy: z.record(z.string(), z.unknown()) });

export interface EstimateFigures {
  readonly generations: number;
  readonly answered: number;
  readonly retried: number;
  readonly calls: number;
  readonly meanWaitMs: number;
}

/** What a policy would have done with the generations that were recorded last: the real engine in virtual time. An estimate. */
export interface Estimate {
  readonly recorded: EstimateFigures;
  readonly estimated: EstimateFigures;
}

/** `POST /api/why`. */
export const whyRequestSchema = z.object({
  text: z.string().min(1).max(1_000_000).describe("status line, headers and body, or just the message"),
  provider: z.string().max(200).optional(),
});

export interface WhyCard {
  readonly kind: FailureKind;
  readonly scope: FailureScope;
  readonly retryable: boolean;
  readonly hintMs: number | null;
  readonly evidence: string;
  readonly status: number | null;
  readonly message: string;
  readonly whatHappened: string;
  readonly whoActs: string;
  readonly remedy: string;
  readonly willWaitingHelp: string;
  readonly verdicts: readonly { readonly preset: string; readonly verdict: string }[];
}

/** `POST /api/lab`: the answer is one JSON object per line, see `LabLine`. Closing the request cancels the run. */
export const labRequestSchema = z.object({
  scenario: z.string().min(1).max(64),
  policies: z.tuple([z.string().min(1).max(64), z.string().min(1).max(64)]).describe("presets, own policies or peers"),
  clients: z.int().min(1).max(10_000).default(1000),
  runs: z.int().min(1).max(20).default(5).describe("runs with different random seeds"),
});
export type LabRequest = Readonly<z.infer<typeof labRequestSchema>>;

/** `GET /api/lab`: what can be chosen. */
export interface LabChoices {
  readonly scenarios: readonly LabScenario[];
  /** `own` first, then `preset`, `peer` (the usual settings of other packages), `none` (a single call). */
  readonly policies: readonly { readonly name: string; readonly group: "own" | "preset" | "peer" | "none" }[];
  readonly figures: readonly LabFigure[];
}

export interface LabScenario {
  readonly name: string;
  readonly title: string;
  /** A sentence or two. */
  readonly description: string;
  readonly outageSeconds: number;
  /** Share of the provider's capacity that clients ask for. */
  readonly load: number;
  /** For an icon: the share of calls that the provider can answer, 0 to 1, at equal steps from before the outage until after it. */
  readonly shape: readonly number[];
}

export type LabFigureKey =
  | "amplification"
  | "peak"
  | "recoverySeconds"
  | "wasted"
  | "failed"
  | "waited"
  | "served"
  | "p95Seconds";

export interface LabFigure {
  readonly key: LabFigureKey;
  readonly label: string;
  readonly meaning: string;
  /** `times` is a ratio, `share` goes from 0 to 1. */
  readonly unit: "times" | "seconds" | "share";
  readonly better: "low" | "high";
}

/** "never": not within the run. Null: means nothing in this scenario or with so few clients. */
export type LabValue = number | "never" | null;

export interface LabPolicyResult {
  readonly name: string;
  /** Over all finished runs; peak and recovery are those of the worst run. */
  readonly figures: Readonly<Record<LabFigureKey, LabValue>>;
}

/** One chart: lines in the order of `LabResult.policies`. */
export interface LabChart {
  /** Such as `calls`, `answered`, `waiting`. */
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  /** The provider's capacity, in the same unit. */
  readonly capacity?: number;
  /** Seconds since the start of the run, one for each point. */
  readonly at: readonly number[];
  readonly lines: readonly {
    readonly name: string;
    readonly mean: readonly number[];
    readonly least: readonly number[];
    readonly most: readonly number[];
  }[];
}

/** What "In short" is made of, so that it can be said in any language. */
export type LabFact =
  /** `policy` makes this share fewer calls than the other one, 0 to 1. */
  | { readonly type: "fewer-calls"; readonly policy: string; readonly share: number }
  | { readonly type: "same-calls" }
  /** Generations wait this many seconds longer on average. */
  | { readonly type: "longer-wait"; readonly policy: string; readonly seconds: number }
  | { readonly type: "none-failed" }
  /** Shares of the generations that failed, in the order of `LabResult.policies`. */
  | { readonly type: "failed"; readonly shares: readonly number[] };

export interface LabResult {
  readonly scenario: LabScenario;
  readonly clients: number;
  /** Runs that are finished, of `runs`. */
  readonly finished: number;
  readonly runs: number;
  /** Seconds since the start of a run: where the outage begins and ends, and where the run ends. */
  readonly outageFrom: number;
  readonly outageTo: number;
  readonly seconds: number;
  readonly policies: readonly LabPolicyResult[];
  readonly charts: readonly LabChart[];
  readonly facts: readonly LabFact[];
  /** The facts in English. */
  readonly inShort: string;
  /** Why figures are missing, in English. */
  readonly notes: readonly string[];
}

/** A line of `POST /api/lab`. The last one is `done` or `error`. */
export type LabLine =
  | {
      readonly type: "progress";
      /** The run that is under way, from 1. */
      readonly run: number;
      readonly runs: number;
      /** Of the whole work, 0 to 1. */
      readonly share: number;
      /** Null: too early to say. */
      readonly secondsLeft: number | null;
    }
  /** After every run but the last. */
  | { readonly type: "partial"; readonly result: LabResult }
  /** `report` is one self-contained HTML page, to save. */
  | { readonly type: "done"; readonly result: LabResult; readonly report: string }
  | { readonly type: "error"; readonly message: string };

/** `PUT /api/settings`: the keys of the config table, as `secondwind console` has them. */
export const settingsRequestSchema = z.record(z.string(), z.unknown());

/** Every answer of the API that is not 2xx. */
export interface ApiError {
  readonly error: { readonly message: string; readonly field?: string };
}
