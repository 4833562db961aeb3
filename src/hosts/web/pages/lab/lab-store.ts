import { defineStore } from "pinia";
import { computed, shallowRef } from "vue";
import type { LabChoices, LabLine, LabResult } from "../../../../wire/http/server.ts";
import { api } from "../../api/http.ts";
import { sayFailure } from "../../api/say-failure.ts";

export const MOST_CLIENTS = 10_000;
export const MOST_RUNS = 20;

/** The lab: what is chosen, the run that is under way and its result. Outlives the page: a look at another one cancels nothing. */
export const useLab = defineStore("lab", () => {
  const choices = shallowRef<LabChoices>();
  const scenario = shallowRef("black-hole");
  const first = shallowRef("default");
  const second = shallowRef("console");
  /** As typed. */
  const clients = shallowRef("1000");
  const runs = shallowRef("5");
  const progress = shallowRef<Extract<LabLine, { type: "progress" }>>();
  const result = shallowRef<LabResult>();
  const report = shallowRef("");
  const problem = shallowRef("");
  const running = shallowRef<AbortController>();

  const clientCount = computed(() => wholeFrom(clients.value, MOST_CLIENTS));
  const runCount = computed(() => wholeFrom(runs.value, MOST_RUNS));
  const isSameTwice = computed(() => first.value === second.value);
  const isValid = computed(() => clientCount.value !== undefined && runCount.value !== undefined && !isSameTwice.value);

  async function load(): Promise<void> {
    choices.value = await api.get<LabChoices>("/api/lab");
    const { scenarios, policies } = choices.value;
    if (!scenarios.some(({ name }) => name === scenario.value)) scenario.value = scenarios[0]?.name ?? "";
    const has = (name: string): boolean => policies.some((policy) => policy.name === name);
    if (!has(first.value)) first.value = policies[0]?.name ?? "";
    if (!has(second.value)) second.value = policies[1]?.name ?? first.value;
  }

  function hear(line: LabLine): void {
    switch (line.type) {
      case "progress":
        progress.value = line;
        break;
      case "partial":
        result.value = line.result;
        break;
      case "done":
        result.value = line.result;
        report.value = line.report;
        break;
      case "error":
        problem.value = line.message;
        break;
      default:
        line satisfies never;
    }
  }

  async function run(): Promise<void> {
    if (running.value !== undefined || !isValid.value) return;
    const abort = new AbortController();
    running.value = abort;
    problem.value = "";
    report.value = "";
    result.value = undefined;
    progress.value = { type: "progress", run: 1, runs: runCount.value ?? 1, share: 0, secondsLeft: null };
    const body = {
      scenario: scenario.value,
      policies: [first.value, second.value],
      clients: clientCount.value,
      runs: runCount.value,
    };
    try {
      for await (const line of api.lines<LabLine>("/api/lab", body, abort.signal)) hear(line);
      if (report.value === "" && problem.value === "") problem.value = sayFailure(new Error("The run broke off."));
    } catch (error) {
      if (!abort.signal.aborted) problem.value = sayFailure(error);
    } finally {
      running.value = undefined;
      progress.value = undefined;
    }
  }

  return {
    choices,
    scenario,
    first,
    second,
    clients,
    runs,
    clientCount,
    runCount,
    isSameTwice,
    isValid,
    progress,
    result,
    report,
    problem,
    isRunning: computed(() => running.value !== undefined),
    load,
    run,
    /** What has come in so far stays. */
    cancel: () => running.value?.abort(),
  };
});

/** A whole number from 1 to `most` as typed, with or without commas. */
export function wholeFrom(text: string, most: number): number | undefined {
  const plain = text.trim().replace(/(\d)[,\u2009\u202f](?=\d{3}\b)/g, "$1");
  const value = /^\d+$/.test(plain) ? Number(plain) : Number.NaN;
  return value >= 1 && value <= most ? value : undefined;
}
