import { realpathSync } from "node:fs";
import type { Jobs } from "../../jobs/index.ts";
import {
  type GenerationEvent,
  MemoryHealth,
  PacedHealth,
  preparePolicy,
  type TargetEntry,
} from "../../kernel/index.ts";
import type { Providers } from "../../providers/open-providers.ts";
import { systemPorts } from "../../system/index.ts";
import { onInterrupt, sayFailure, type Terminal } from "../../terminal/index.ts";
import type { BatchLine } from "./input/batch-line.ts";
import type { LineTable } from "./input/line-table.ts";
import type { InputSurvey } from "./input/survey-input.ts";
import { todoLines } from "./input/todo-lines.ts";
import { OutputFile } from "./output/output-file.ts";
import type { OutputSurvey } from "./output/read-output.ts";
import type { ResultLine } from "./output/result-line.ts";
import type { BatchSettings } from "./parse-options.ts";
import { WorkersAsker } from "./run/ask-workers.ts";
import { type Chosen, runLines, type Stop } from "./run/run-lines.ts";
import { TokenBudget } from "./run/token-budget.ts";
import { BatchScreen } from "./show/batch-screen.ts";
import type { Progress } from "./show/progress-lines.ts";
import { RateMeter } from "./show/rate-meter.ts";
import { sayEnd } from "./show/say-end.ts";
import { sayHolding, type WaitStart } from "./show/say-holding.ts";

export interface BatchRun {
  readonly settings: BatchSettings;
  readonly opened: Pick<Providers, "providers" | "vault">;
  readonly targetOf: (line: BatchLine) => Chosen;
  readonly input: string;
  readonly table: LineTable;
  readonly survey: InputSurvey;
  readonly written: OutputSurvey;
  /** Of the output as it is now. */
  readonly wholeBytes: number;
  readonly screen: Terminal;
  /** Lines are run by workers. Undefined: in this process. */
  readonly jobs: Jobs | undefined;
}

export interface BatchEnd {
  /** Every line has a result. */
  readonly isFinished: boolean;
  readonly isCancelled: boolean;
  readonly failed: number;
}

/** Calls at the same time to begin with. */
const FIRST_CALLS = 4;
/** So long a first Ctrl-C waits for answers that are under way. */
const GRACE_MS = 30_000;

/** Runs what is to be done, and shows it. */
export async function runBatch(run: BatchRun): Promise<BatchEnd> {
  const { settings, opened, survey, written, screen } = run;
  const { concurrency, isRetryingFailed, output } = settings;
  const file = await OutputFile.open(output, run.wholeBytes);
  const workers =
    run.jobs &&
    new WorkersAsker({ jobs: run.jobs, output: realpathSync(output), policy: settings.jobPolicy, isRetryingFailed });
  const { redact } = opened.vault;
  const { reportFault } = systemPorts();
  const ports = systemPorts({ reportFault: (fault, where) => reportFault(redact(fault), where) });
  const health = new PacedHealth(new MemoryHealth(), { first: FIRST_CALLS, most: concurrency });
  const tokens = new TokenBudget(settings.maxTokens, written.inputTokens + written.outputTokens);
  const startMs = ports.now();
  const meter = new RateMeter(startMs);
  const counts = { done: written.done, failed: isRetryingFailed ? 0 : written.failed };
  const waits = new Map<string, { readonly start: WaitStart; readonly untilMs: number }>();
  const progress = (): Progress => {
    const nowMs = ports.now();
    const last = [...waits.values()].reduce<{ start: WaitStart; untilMs: number } | undefined>(
      (found, one) => (found === undefined || one.untilMs > found.untilMs ? one : found),
      undefined,
    );
    const wait = last && { start: last.start, leftMs: last.untilMs - nowMs };
    const perMinute = meter.perMinute(nowMs);
    const holding = sayHolding({ facts: health.facts(nowMs), wait, isStalled: perMinute === 0 });
    if (workers !== undefined)
      return { lines: survey.lines, ...counts, ...ofWorkers(workers), perMinute: meter.perMinute(nowMs) };
    return { lines: survey.lines, ...counts, waiting: waits.size, perMinute, holding };
  };
  const shown = new BatchScreen(screen, progress);
  const stopping = new AbortController();
  const ending = new AbortController();
  const offInterrupt = onInterrupt(() => {
    if (stopping.signal.aborted) return ending.abort();
    const underWay = health.facts(ports.now()).reduce((sum, one) => sum + one.underWay, 0);
    if (underWay > 0)
      shown.say(
        `Stopping after ${underWay === 1 ? "one answer" : `${underWay} answers`} under way. Ctrl-C again stops at once.`,
      );
    stopping.abort();
    setTimeout(() => ending.abort(), GRACE_MS).unref();
  });
  let stop: Stop | undefined;
  shown.start();
  try {
    stop = await runLines({
      ...{ health, ports, tokens, targetOf: run.targetOf, policy: preparePolicy(settings.policy) },
      lines: todoLines(run.input, run.table),
      ...(workers !== undefined && {
        ask: (line: BatchLine, target: TargetEntry, signal: AbortSignal) => workers.ask(line, target, signal),
      }),
      providerOf: (name) => opened.providers.get(name),
      write: (result) => file.write(`${JSON.stringify(redact(result))}\n`),
      mostOpen: 2 * concurrency,
      stopSignal: stopping.signal,
      endSignal: ending.signal,
      on: (event) => noteWait(waits, event, ports.now()),
      onEnd: (_line, result) => {
        if (result !== undefined) count(counts, result, meter, ports.now());
      },
    });
  } finally {
    offInterrupt();
    shown.stop();
    workers?.close();
    await file.close();
  }
  const isCancelled = stopping.signal.aborted;
  const isFinished = counts.done + counts.failed === survey.lines;
  const end = { lines: survey.lines, ...counts, tokens: tokens.used, tookMs: ports.now() - startMs, output };
  const isFault = stop?.type === "refused" || stop?.type === "fault";
  const text = sayEnd({ ...end, isCancelled: isCancelled && !isFinished, stop: redact(stop) });
  screen.write(`${isFault ? screen.colours.redBright(text) : text}\n`);
  return { isFinished, isCancelled: isCancelled && !isFinished, failed: counts.failed };
}

function noteWait(
  waits: Map<string, { start: WaitStart; untilMs: number }>,
  event: GenerationEvent,
  nowMs: number,
): void {
  if (event.type === "wait-start") waits.set(event.generationId, { start: event, untilMs: nowMs + event.delayMs });
  if (event.type === "wait-end" || event.type === "generation-end") waits.delete(event.generationId);
}

/** What the workers are held back by, as far as their jobs say. */
function ofWorkers({ waiting }: WorkersAsker): Pick<Progress, "waiting" | "holding"> {
  const [job] = waiting;
  const failure = job?.failure;
  const holding =
    failure === undefined
      ? ""
      : `${job?.model.split("/")[0]}: ${sayFailure({ kind: failure.kind, ...(failure.status !== undefined && { status: failure.status }) })}`;
  return { waiting: waiting.length, holding };
}

function count(counts: { done: number; failed: number }, result: ResultLine, meter: RateMeter, nowMs: number): void {
  if (result.error === undefined) counts.done++;
  else counts.failed++;
  meter.count(nowMs);
}
