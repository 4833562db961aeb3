import type { LabFact, LabFigureKey } from "../../../wire/http/server.ts";
import { LAB_ZH } from "./lab-zh.ts";
import type { Texts } from "./language.ts";

const en = {
  title: "Lab",
  outage: "Outage",
  choose: "Choose an outage",
  settings: "Outage and policies",
  policyA: "Policy A",
  policyB: "Policy B",
  groups: { own: "Yours", preset: "Presets", peer: "Other packages", none: "For comparison" },
  clients: "Clients",
  runs: "Runs",
  allowed: (most: string) => `1 to ${most}`,
  sameTwice: "Choose two different policies.",
  run: "Run",
  cancel: "Cancel",
  runOf: (run: number, runs: number) => `Run ${run} of ${runs}`,
  left: (seconds: number) => (seconds <= 0 ? "almost done" : `about ${seconds} s left`),
  progress: "Progress",
  note: "Virtual time with the real engine: four minutes take about a second. The server stays responsive.",
  intro: "Run an outage on two policies and compare what they do to the provider and to the people who wait.",
  forSeconds: (time: string, load: string) => `For ${time}, at ${load} load.`,
  saveReport: "Save report",
  policyColumn: (finished: number, runs: number) =>
    finished === runs
      ? `policy, ${runs === 1 ? "1 run" : `${runs} runs`}`
      : `policy, ${finished} of ${runs} runs so far`,
  never: "never",
  inShort: "In short",
  failed: (why: string) => `The run failed: ${why}`,
  loadFailed: (why: string) => `The lab could not be loaded: ${why}`,
  retry: "Try again",
  outageLabel: "outage",
  capacity: "capacity",
  none: "none",
  chartLabel: (title: string, unit: string, names: string) => `${title}, ${unit}: ${names}`,
  finished: "The run is finished.",
  figuresHelp: "What the figures mean",
  // English comes from the server.
  scenarios: {} as Readonly<
    Record<string, { readonly title: string; readonly short?: string; readonly description: string }>
  >,
  shorts: {
    "fast-503": "Every call refused at once",
    "black-hole": "90 % of calls get lost, no error",
    brownout: "30 % refused, the rest slower",
    "529-wave": "80 % overloaded, in waves",
    flapping: "5 s down, 5 s well",
    "quota-cliff": "Half the calls over the limit",
    "burst-429": "All calls at once, most limited",
    "slow-tokens": "Answers six times slower",
    "regional-outage": "One provider lost, another well",
    drizzle: "5 % fail at random, all the time",
    "drizzle-hints": "Drizzle with a hint for each 429",
    "long-outage": "Down for 20 minutes",
    "thundering-start": "All clients start at once",
    "slow-start": "Down, then back slowly",
  } as Readonly<Record<string, string>>,
  figures: {} as Readonly<Partial<Record<LabFigureKey, { readonly label: string; readonly meaning: string }>>>,
  charts: {} as Readonly<Record<string, { readonly title: string; readonly unit: string }>>,
  sayFacts: undefined as ((facts: readonly LabFact[], names: readonly string[]) => string) | undefined,
};

export type LabTexts = typeof en;
export const LAB_TEXTS: Texts<LabTexts> = { en, zh: LAB_ZH };
