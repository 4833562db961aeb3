import { metricText } from "./metric.ts";

/** How many jobs are in each state, and what is wrong with some of them. */
export interface JobFigures {
  readonly accepted: number;
  readonly running: number;
  readonly waiting: number;
  readonly done: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly poison: number;
  readonly stalled: number;
  /** Epoch milliseconds. */
  readonly oldestAt?: number;
}

const STATES = ["accepted", "running", "waiting", "done", "failed", "cancelled"] as const;

/** Figures about jobs for Prometheus. */
export function jobMetrics(figures: JobFigures, nowMs: number): string {
  const { poison, stalled, oldestAt } = figures;
  const ageS = oldestAt === undefined ? 0 : Math.max(0, nowMs - oldestAt) / 1000;
  return [
    metricText(
      "secondwind_jobs",
      "gauge",
      "Jobs that are kept, by state. accepted: the queue's depth.",
      STATES.map((state) => `secondwind_jobs{state="${state}"} ${figures[state]}`),
    ),
    one("secondwind_jobs_oldest_seconds", "Age of the oldest job that is not final.", ageS),
    one("secondwind_jobs_stalled", "Running jobs whose worker shows no life.", stalled),
    one("secondwind_jobs_poison", "Jobs given up because their workers died again and again.", poison),
  ].join("");
}

function one(name: string, help: string, value: number): string {
  return metricText(name, "gauge", help, [`${name} ${value}`]);
}
