import { sayDuration } from "../../terminal/index.ts";
import type { MetricsReport, StatusMetrics } from "./retry-metrics.ts";

/** C7: what `/info` says about retries. */
export function infoLines(report: MetricsReport): readonly string[] {
  const { exchanges, retries, retried, recovered, waitedMs, retryingMs, statuses } = report;
  return [
    label("Exchanges", String(exchanges)),
    label("Retries this session", String(retries)),
    label(
      "Success rate after retry",
      retried === 0 ? "-" : `${share(recovered, retried)} (${recovered} of ${retried})`,
    ),
    label("Mean retry time", sayMeans({ retries, retried, waitedMs, retryingMs })),
    ...(statuses.size === 0 ? [] : ["By status code"]),
    ...[...statuses].sort(([a], [b]) => a.localeCompare(b)).map(([name, metrics]) => label(`  ${name}`, say(metrics))),
  ];
}

type Times = Pick<MetricsReport, "retries" | "retried" | "waitedMs" | "retryingMs">;

/** The wait before one retry, and all the time from the first failure to the end. */
function sayMeans({ retries, retried, waitedMs, retryingMs }: Times): string {
  if (retries === 0 || retried === 0) return "-";
  return `${sayDuration(waitedMs / retries)} a retry, ${sayDuration(retryingMs / retried)} an exchange`;
}

function say({ failures, retries, worked }: StatusMetrics): string {
  const failed = failures === 1 ? "1 failure" : `${failures} failures`;
  const tried = retries === 1 ? "1 retry" : `${retries} retries`;
  return retries === 0 ? `${failed}, not retried` : `${failed}, ${tried}, ${share(worked, retries)} worked`;
}

function share(part: number, whole: number): string {
  return `${Math.round((100 * part) / whole)} %`;
}

function label(name: string, text: string): string {
  return `${name.padEnd(26)}${text}`;
}
