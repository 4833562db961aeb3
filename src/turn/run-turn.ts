import { systemPorts } from "../system/index.ts";
import type { Message, ToolCallPart, ToolMessage } from "../wire/message.ts";
import type { TurnStatus } from "../wire/turn-event.ts";
import { readText } from "./assistant-draft.ts";
import { openStep, type StepRequest } from "./open-step.ts";
import { runStep, type StepOutcome } from "./run-step.ts";
import { runToolCalls } from "./run-tool-calls.ts";
import type { RunTurnInput, TurnResult } from "./run-turn-input.ts";
import type { ToolContext } from "./tool.ts";
import { type TellTurn, turnVoice } from "./turn-voice.ts";

type Turn = StepRequest["turn"];

interface Course {
  readonly turn: Turn;
  readonly tell: TellTurn;
  /** What the turn has added so far. */
  readonly added: Message[];
}

interface TurnEnd {
  readonly status: TurnStatus;
  readonly error?: string;
}

const MOST_STEPS = 100;

/**
 * Carries one message of the user to its answer: steps of the model, with tool calls and steering between them. Never
 * rejects; however it ends, it is sealed once.
 */
export async function runTurn(input: RunTurnInput): Promise<TurnResult> {
  const turn: Turn = { ...input, ports: input.ports ?? systemPorts() };
  const tell = turnVoice(input, turn.ports);
  const added: Message[] = [{ role: "user", content: input.message }];
  tell({ type: "turn-start", model: `${input.provider.name}/${input.model}` });
  tell({ type: "user-message", content: input.message });
  const end = await takeSteps({ turn, tell, added });
  if (end.status === "done") tell({ type: "done" });
  tell({ type: "turn-sealed", status: end.status });
  return { ...end, messages: added };
}

async function takeSteps(course: Course): Promise<TurnEnd> {
  const { turn, tell } = course;
  try {
    const most = turn.maxSteps ?? MOST_STEPS;
    for (let step = 1; step <= most; step++) {
      const end = await takeStep(course, step);
      if (end !== undefined) return end;
    }
    return fail(tell, `The turn took more than ${most} steps`);
  } catch (fault) {
    // An internal error, or one in the host's functions: the turn still ends.
    turn.ports.reportFault(fault, "turn");
    return fail(tell, fault instanceof Error ? fault.message : String(fault));
  }
}

/** Undefined: another step follows. */
async function takeStep(course: Course, step: number): Promise<TurnEnd | undefined> {
  const { turn, tell, added } = course;
  const outcome = await runStep(turn, [...(turn.history ?? []), ...added], tell);
  if (outcome.type !== "whole") return breakOff(course, outcome);
  added.push(outcome.message);
  const { calls, finishReason } = outcome;
  if (calls.length > 0) added.push(...(await answerCalls(course, outcome)));
  if (turn.signal?.aborted === true) return { status: "aborted" };
  tell({ type: "step-complete", step, finishReason });
  const steering = turn.takeSteering?.() ?? [];
  for (const content of steering) {
    tell({ type: "steering", content });
    added.push({ role: "user", content });
  }
  return calls.length === 0 && steering.length === 0 ? { status: "done" } : undefined;
}

function breakOff({ tell, added }: Course, outcome: Exclude<StepOutcome, { type: "whole" }>): TurnEnd {
  // An empty answer that was aborted is nothing to remember; an error is.
  if (outcome.type === "failed" || outcome.message.parts.length > 0) added.push(outcome.message);
  if (outcome.type === "aborted") return { status: "aborted" };
  return fail(tell, outcome.error, outcome.code);
}

function fail(tell: TellTurn, message: string, code?: string): TurnEnd {
  tell({ type: "error", message, ...(code !== undefined && { code }) });
  return { status: "error", error: message };
}

async function answerCalls(
  { turn, tell }: Course,
  { calls, finishReason }: Extract<StepOutcome, { type: "whole" }>,
): Promise<readonly ToolMessage[]> {
  const onResult = ({ toolCallId, toolName, content, isError }: ToolMessage): void =>
    tell({ type: "tool-result", toolCallId, toolName, content, isError });
  return runToolCalls({
    calls,
    isCut: finishReason === "length",
    tools: turn.tools ?? [],
    signal: turn.signal ?? new AbortController().signal,
    ask: (call) => askBeside(turn, tell, call),
    onResult,
  });
}

/** A model call inside a tool call: a separate generation, whose waits name the call that they belong to. */
function askBeside(turn: Turn, tell: TellTurn, { id: toolCallId }: ToolCallPart): ToolContext["ask"] {
  return async ({ prompt, system }) => {
    const generation = openStep({
      turn,
      request: { ...(system !== undefined && { system }), messages: [{ role: "user", content: prompt }] },
      onWait: (wait) => tell({ type: "provider-retry", ...wait, toolCallId }),
    });
    return readText(generation);
  };
}
