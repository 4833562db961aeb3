import { runToolCalls } from "../../turn/index.ts";
import type { Message, ToolMessage } from "../../wire/index.ts";
import type { SessionCore } from "../session-core.ts";
import { dropPrompt, type HeldPrompt, type Holding, keepSaid, notRefused } from "./accept-prompt.ts";
import { askModel } from "./ask-model.ts";
import { compact } from "./compaction.ts";
import { stillHeld } from "./left-behind.ts";
import { runStep, type StepError, type StepOutcome } from "./run-step.ts";

/** How a prompt ended. */
export interface PromptResult extends Partial<StepError> {
  readonly status: "done" | "error" | "aborted";
}

interface PromptRun {
  readonly signal: AbortSignal;
  /** What the user has said meanwhile; taken between steps. */
  readonly takeSteering: () => readonly Holding[];
  /** Called when nothing more will be done, before the end is announced: listeners find the session free. */
  readonly onEnd: () => void;
}

const MOST_STEPS = 100;
/** A context that fills this much of the window is compacted before the next prompt overflows it. */
const FULL = 0.8;

/** Carries a prompt that has begun to its end: steps, tools, steering, compaction. Resolves when its last retry has ended; never rejects. */
export async function runPrompt(core: SessionCore, run: PromptRun): Promise<PromptResult> {
  const { recorder, ports } = core;
  let result: PromptResult;
  try {
    result = await takeSteps(core, run);
  } catch (fault) {
    // A fault of our own: the prompt still has an end.
    ports.reportFault(fault, "session");
    result = { status: "error", error: fault instanceof Error ? fault.message : String(fault) };
  }
  const unheard: HeldPrompt[] = [];
  // More may be said while the store is read: free is the session only when nothing is left.
  for (let more = run.takeSteering(); more.length > 0; more = run.takeSteering()) {
    unheard.push(...(await stillHeld(core, await notRefused(more))));
  }
  run.onEnd();
  for (const held of unheard) dropPrompt(core, held);
  recorder.announce({ type: "agent_end", ...result });
  await recorder.flushed();
  return result;
}

async function takeSteps(core: SessionCore, run: PromptRun): Promise<PromptResult> {
  const { signal } = run;
  const most = core.options.maxSteps ?? MOST_STEPS;
  /** An overflow right after a compaction is not cured by another one. */
  let isFresh = false;
  for (let step = 1; step <= most; step++) {
    if (signal.aborted) return { status: "aborted" };
    const outcome = await runStep(core, signal);
    switch (outcome.type) {
      case "aborted":
        return { status: "aborted" };
      case "failed":
        return errorOf(outcome);
      case "overflow": {
        const isCured = !isFresh && core.options.autoCompaction !== false && (await compact(core, "overflow", signal));
        if (signal.aborted) return { status: "aborted" };
        if (!isCured) return errorOf(outcome);
        isFresh = true;
        break;
      }
      case "good": {
        isFresh = false;
        const isOver = await follow(core, run, outcome);
        if (signal.aborted) return { status: "aborted" };
        if (isOver) return { status: "done" };
        break;
      }
      default:
        outcome satisfies never;
    }
  }
  return { status: "error", error: `The prompt took more than ${most} steps` };
}

function errorOf({ error, failure }: Extract<StepOutcome, { type: "failed" | "overflow" }>): PromptResult {
  return { status: "error", error, ...(failure !== undefined && { failure }) };
}

/** What comes after a good answer: its tool calls, what the user said meanwhile. True: nothing, the prompt is answered. */
async function follow(
  core: SessionCore,
  run: PromptRun,
  outcome: Extract<StepOutcome, { type: "good" }>,
): Promise<boolean> {
  const { calls } = outcome;
  if (calls.length > 0) await answerCalls(core, run.signal, outcome);
  if (run.signal.aborted) return false;
  const wasSteered = await hearSteering(core, run);
  if (calls.length > 0 || wasSteered) return false;
  // S2: a turn that was retried skips compaction.
  if (!outcome.wasRetried && isNearlyFull(core, outcome)) await compact(core, "threshold", run.signal);
  // Compaction takes time: the user may have sent something meanwhile.
  return !(await hearSteering(core, run));
}

/** True: the user has said something, and the agent has to answer it. */
async function hearSteering(core: SessionCore, { takeSteering }: PromptRun): Promise<boolean> {
  const steering = await stillHeld(core, await notRefused(takeSteering()));
  for (const held of steering) {
    core.recorder.announce({ type: "steering", content: held.content });
    keepSaid(core, held);
  }
  return steering.length > 0;
}

async function answerCalls(
  core: SessionCore,
  signal: AbortSignal,
  { calls, message }: Extract<StepOutcome, { type: "good" }>,
): Promise<void> {
  const { recorder } = core;
  for (const { id: toolCallId, name: toolName, arguments: args } of calls) {
    recorder.announce({ type: "tool_start", toolCallId, toolName, arguments: args });
  }
  const onResult = ({ toolCallId, toolName, content, isError }: ToolMessage): void =>
    recorder.announce({ type: "tool_end", toolCallId, toolName, content, isError });
  const results = await runToolCalls({
    calls,
    isCut: message.stopReason === "length",
    tools: core.tools,
    signal,
    ask: ({ id }) => askModel(core, { origin: id, role: "default", signal }),
    onResult,
  });
  for (const result of results) keepMessage(core, result);
}

function keepMessage({ recorder, ports }: SessionCore, message: Message): void {
  const messageId = ports.newId();
  recorder.record(
    { type: "message", data: message },
    { type: "message_start", messageId, role: message.role },
    { type: "message_end", messageId, message },
  );
}

function isNearlyFull(
  { options }: SessionCore,
  { message: { usage } }: Extract<StepOutcome, { type: "good" }>,
): boolean {
  const { contextWindowTokens, autoCompaction = true } = options;
  if (contextWindowTokens === undefined || usage === undefined || !autoCompaction) return false;
  return usage.inputTokens + usage.outputTokens > contextWindowTokens * FULL;
}
