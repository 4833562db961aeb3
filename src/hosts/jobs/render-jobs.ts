import { JOB_STATES, type Job, type JobCounts, type JobResult, type JobState } from "../../jobs/index.ts";
import { targetName } from "../../kernel/index.ts";
import { type Colours, cleanText, sayDuration } from "../../terminal/index.ts";

const PAINT: Readonly<Record<JobState, keyof Colours>> = {
  accepted: "dim",
  running: "cyan",
  waiting: "yellow",
  done: "green",
  failed: "red",
  cancelled: "dim",
};

/** One line: id, state, model, age, and what it waits for or died of. */
export function jobLine(job: Job, nowMs: number, columns: number, colours: Colours): string {
  const { id, state, model, createdAt } = job;
  const paint = colours[PAINT[state]] as (text: string) => string;
  const age = sayDuration(Math.max(0, nowMs - createdAt));
  const wait = state === "waiting" ? `, retry in ${sayDuration(Math.max(0, (job.until ?? nowMs) - nowMs))}` : "";
  const rest = `${cleanText(model)}  ${age} ago${wait}`;
  const why = cleanText(state === "waiting" ? (job.failure?.message ?? "") : whyOf(job, nowMs));
  // Only the message is cut: how long a job waits is what people look for.
  const room = columns - `${id}  ${state.padEnd(9)}  ${rest}  `.length;
  const tail = why.length <= room ? why : room < 8 ? "" : `${why.slice(0, room - 1)}…`;
  return `${id}  ${paint(state.padEnd(9))}  ${rest}${tail === "" ? "" : `  ${tail}`}`;
}

function whyOf({ state, until, failure, crashes }: Job, nowMs: number): string {
  const message = failure?.message ?? "";
  if (state === "waiting")
    return `until ${clock(until)} (${sayDuration(Math.max(0, (until ?? nowMs) - nowMs))}): ${message}`;
  if (crashes > 0 && state !== "failed") return `lost ${crashes} workers so far`;
  return message;
}

export function countsLine(counts: JobCounts, nowMs: number): string {
  const states = JOB_STATES.map((state) => `${counts[state]} ${state}`).join(", ");
  const { oldestAt, stalled, poison } = counts;
  return [
    states,
    ...(poison > 0 ? [`${poison} of the failed are poison`] : []),
    ...(stalled > 0 ? [`${stalled} stalled`] : []),
    ...(oldestAt === undefined ? [] : [`the oldest open one is ${sayDuration(Math.max(0, nowMs - oldestAt))} old`]),
  ].join("; ");
}

/** All of a job, for a person. */
export function jobPage(job: Job, result: JobResult | undefined, nowMs: number, colours: Colours): string {
  const { receipt, failure } = job;
  const rows: [string, string | undefined][] = [
    ["job", job.id],
    ["state", job.state === "waiting" ? `waiting, ${whyOf(job, nowMs)}` : job.state],
    ["model", job.model],
    ["policy", job.policy],
    ["key", job.key],
    ["group", job.group],
    ["accepted", clock(job.createdAt)],
    ["deadline", job.deadline === undefined ? undefined : clock(job.deadline)],
    ["ended", job.finishedAt === undefined ? undefined : clock(job.finishedAt)],
    [
      "attempts",
      receipt === undefined ? undefined : `${receipt.attempts}, waited ${sayDuration(receipt.waitedMs)} in all`,
    ],
    ["workers lost", job.crashes === 0 ? undefined : String(job.crashes)],
    ["failure", job.state === "failed" && failure !== undefined ? `${failure.reason}: ${failure.message}` : undefined],
  ];
  const lines = rows.flatMap(([name, value]) =>
    value === undefined ? [] : [`${colours.dim(name.padEnd(13))}${cleanText(value)}`],
  );
  const history = (receipt?.history ?? []).map(({ attempt, target, kind, status, waitedMs }) => {
    const what = kind === undefined ? "answered" : `${kind}${status === undefined ? "" : ` (${status})`}`;
    const wait = waitedMs === undefined ? "" : `, then waited ${sayDuration(waitedMs)}`;
    return `  ${attempt}. ${cleanText(targetName(target))}: ${what}${wait}`;
  });
  const answer = result === undefined ? [] : ["", cleanText(result.text)];
  return [...lines, ...history, ...answer].join("\n");
}

function clock(at: number | undefined): string {
  return at === undefined ? "" : new Date(at).toLocaleString("sv-SE");
}
