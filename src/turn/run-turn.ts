import type { Receipt } from "../kernel/index.ts";
import { systemPorts } from "../system/index.ts";
import type { Message, ToolCallPart, ToolMessage } from "../wire/message.ts";
import type { TurnErrorEvent, TurnStatus } from "../wire/turn-event.ts";
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
  /** Of a step that was aborted. */
  readonly receipt?: Receipt;
}

const MOST_STEPS = 100;

/**
 * Carries one message of the user to its answer: steps of the model, with tool calls and steering between them. Never
 * rejects; however it ends, it is sealed once.
 */
export async function runTurn(input: RunTurnInput): Promise<TurnResult> {
  const turn: Turn = { ...input, ports: input.ports ?? systemPorts() };
  const tell = turnVoice(input, turn.ports);
  const added: Message[] = [];
  tell({ type: "turn-start", model: `${input.provider.name}/${input.model}` });
  if (input.message !== undefined) {
    added.push({ role: "user", content: input.message });
    tell({ type: "user-message", content: input.message });
  }
  const { receipt, ...end } = await takeSteps({ turn, tell, added });
  if (end.status === "done") tell({ type: "done" });
  tell({ type: "turn-sealed", status: end.status, ...(receipt !== undefined && { receipt }) });
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
  await add(course, outcome.message);
  const { calls, finishReason, receipt } = outcome;
  if (calls.length > 0) added.push(...(await answerCalls(course, outcome)));
  if (turn.signal?.aborted === true) return { status: "aborted" };
  tell({ type: "step-complete", step, finishReason, receipt });
  const steering = turn.takeSteering?.() ?? [];
  for (const content of steering) {
    tell({ type: "steering", content });
    await add(course, { role: "user", content });
  }
  return calls.length === 0 && steering.length === 0 ? { status: "done" } : undefined;
}

async function add({ turn, added }: Course, message: Message): Promise<void> {
  added.push(turn.record === undefined ? message : await turn.record(message));
}

async function breakOff(course: Course, outcome: Exclude<StepOutcome, { type: "whole" }>): Promise<TurnEnd> {
  const { message, receipt } = outcome;
  // An empty answer that was aborted is nothing to remember; an error is.
  if (outcome.type === "failed" || message.parts.length > 0) await add(course, message);
  if (outcome.type === "aborted") return { status: "aborted", receipt };
  const { error, code } = outcome;
  return fail(course.tell, error, { ...(code !== undefined && { code }), receipt });
}

function fail(tell: TellTurn, message: string, facts: Pick<TurnErrorEvent, "code" | "receipt"> = {}): TurnEnd {
  tell({ type: "error", message, ...facts });
  return { status: "error", error: message };
}

async function answerCalls(
  { turn, tell }: Course,
  { calls, finishReason }: Extract<StepOutcome, { type: "whole" }>,
): Promise<readonly Message[]> {
  const recorded: Promise<Message>[] = [];
  const onResult = (message: ToolMessage): void => {
    const { toolCallId, toolName, content, isError } = message;
    tell({ type: "tool-result", toolCallId, toolName, content, isError });
    if (turn.record === undefined) return;
    const kept = turn.record(message);
    // Awaited when all calls have ended: until then a rejection must not end the process.
    kept.catch(() => undefined);
    recorded.push(kept);
  };
  const results = await runToolCalls({
    calls,
    isCut: finishReason === "length",
    tools: turn.tools ?? [],
    signal: turn.signal ?? new AbortController().signal,
    ask: (call) => askBeside(turn, tell, call),
    onResult,
  });
  // As they were recorded: in the order in which they ended.
  return turn.record === undefined ? results : Promise.all(recorded);
}

/** A model call inside a tool call: a separate generation, whose waits name the call that they belong to. */
function askBeside(turn: Turn, tell: TellTurn, { id: toolCallId }: ToolCallPart): ToolContext["ask"] {
  return async ({ prompt, system }) => {
    const { generation, note } = openStep({
      turn,
      toolCallId,
      request: { ...(system !== undefined && { system }), messages: [{ role: "user", content: prompt }] },
      onWait: (wait) => tell({ type: "provider-retry", ...wait, toolCallId }),
    });
    return readText(generation, undefined, note);
  };
}
