import type { Answer } from "../answer/answer.ts";
import { callTool } from "../answer/choose-tool.ts";
import { planAnswer } from "../answer/plan-answer.ts";
import { type Frame, type FrameRole, frame } from "../dialects/dialect.ts";
import { answerReply } from "../wire/answer-reply.ts";
import type { Reaction } from "../wire/reply.ts";
import { isToken, plainReply } from "../wire/reply.ts";
import { cutArguments } from "./cut-arguments.ts";
import {
  type Fault,
  type FaultContext,
  type FaultTable,
  type FrameChange,
  numberIn,
  reply,
  streamed,
} from "./fault.ts";

const BROKEN_JSON = '{"id": "sim", "oops": [1, 2,';
const SAMPLE_TOOL = {
  name: "get_weather",
  schema: { type: "object", properties: { city: { type: "string" }, days: { type: "integer" } } },
};

/** Faults 26 and 33 to 41: which events come, and in which order. */
export const FRAME_FAULTS: FaultTable = {
  26: {
    ...eventFault("data after the terminal event", (frames, { parameter }) => {
      const more = withRole(frames, "text").slice(-2);
      return parameter === "early" ? afterTerminal(frames, more) : [...frames, ...more];
    }),
    parameter: "`early`: before the usage and `[DONE]` that may follow it",
  },
  33: {
    title: "invalid JSON",
    parameter: "tokens before it",
    react: (context) =>
      context.request.isStreaming
        ? streamed(context, (frames) => afterTokens(frames, numberIn(context, 2), [frame("other", BROKEN_JSON)]))
        : reply(plainReply(200, { "content-type": "application/json" }, BROKEN_JSON)),
  },
  34: {
    ...eventFault("unknown event", (frames, context) => {
      const unknown = [unknownEvent(frames)];
      if (context.parameter === "first") return [...unknown, ...frames];
      if (context.parameter === "end") return afterTerminal(frames, unknown);
      return afterTokens(frames, numberIn(context, 2), unknown);
    }),
    parameter: "tokens before it, `first`, or `end`: after the terminal event",
  },
  35: eventFault("error event first", (_, context) => [errorEvent(context)]),
  36: {
    ...eventFault("error event after content", (frames, context) => {
      const [before] = splitAfter(frames, numberIn(context, 3));
      return [...before, errorEvent(context)];
    }),
    parameter: "tokens before it",
  },
  37: eventFault("terminal event missing", (frames) => frames.filter(({ role }) => role !== "end")),
  38: eventFault("terminal event twice", (frames) => [...frames, ...withRole(frames, "end")]),
  39: { title: "tool arguments cut", parameter: "characters that are sent", react: cutToolArguments },
  40: {
    title: "block indexes out of order",
    needs: "stream",
    react: (context) => reply(answerReply({ ...context, answer: { ...withTools(context, 2), indexes: "falling" } })),
  },
  41: {
    title: "valid stream without content",
    react: (context) =>
      reply(answerReply({ ...context, answer: planAnswer(context.request, { seed: 1, content: "empty" }) })),
  },
};

function eventFault(title: string, change: FrameChange): Fault {
  return { title, needs: "stream", react: (context) => streamed(context, change) };
}

function withRole(frames: readonly Frame[], role: FrameRole): readonly Frame[] {
  return frames.filter((one) => one.role === role);
}

function splitAfter(frames: readonly Frame[], tokens: number): readonly [readonly Frame[], readonly Frame[]] {
  const places = frames.flatMap((one, place) => (isToken(one) ? [place] : []));
  const at = tokens === 0 ? (places[0] ?? 0) : (places[Math.min(tokens, places.length) - 1] ?? 0) + 1;
  return [frames.slice(0, at), frames.slice(at)];
}

function afterTokens(frames: readonly Frame[], tokens: number, more: readonly Frame[]): readonly Frame[] {
  const [before, after] = splitAfter(frames, tokens);
  return [...before, ...more, ...after];
}

/** Directly after the terminal event: OpenAI's usage and `[DONE]` come later. */
function afterTerminal(frames: readonly Frame[], more: readonly Frame[]): readonly Frame[] {
  const at = frames.findLastIndex(({ role, data }) => role === "end" && data !== "[DONE]") + 1;
  return [...frames.slice(0, at), ...more, ...frames.slice(at)];
}

function errorEvent({ dialect, request }: FaultContext): Frame {
  return dialect.errorFrame({ name: "overloaded", model: request.model });
}

/** An event of a future API. It has a name where events have names. */
function unknownEvent(frames: readonly Frame[]): Frame {
  const type = "simulated.unknown_event";
  const hasNames = frames.some(({ event }) => event !== undefined);
  return frame("other", { type, sequence_number: 2, note: "unknown" }, hasNames ? type : undefined);
}

/** An answer with this many tool calls, whether or not the client has offered tools. */
function withTools({ request, answer }: FaultContext, count: number): Answer {
  const tool = request.tools[0] ?? SAMPLE_TOOL;
  const calls = Array.from({ length: count }, (_, place) => callTool(tool, request.prompt, place + 1));
  return { ...answer, toolCalls: calls, stop: "tool" };
}

function cutToolArguments(context: FaultContext): Reaction {
  const answer = withTools(context, 1);
  return reply(
    cutArguments({ ...context, answer }, context.parameter === undefined ? undefined : numberIn(context, 0)),
  );
}
