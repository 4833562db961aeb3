import type { Answer } from "../answer/answer.ts";
import { callTool } from "../answer/choose-tool.ts";
import { planAnswer } from "../answer/plan-answer.ts";
import { type Frame, type FrameRole, frame } from "../dialects/dialect.ts";
import { answerReply, streamReply } from "../wire/answer-reply.ts";
import type { Reaction } from "../wire/reply.ts";
import { isToken, plainReply } from "../wire/reply.ts";
import { cutArguments } from "./cut-arguments.ts";
import { type FaultContext, type FaultTable, numberIn, reply } from "./fault.ts";

const BROKEN_JSON = '{"id": "sim", "oops": [1, 2,';
const SAMPLE_TOOL = {
  name: "get_weather",
  schema: { type: "object", properties: { city: { type: "string" }, days: { type: "integer" } } },
};

/** Faults 26 and 33 to 41: which events come, and in which order. */
export const FRAME_FAULTS: FaultTable = {
  26: {
    title: "data after the terminal event",
    needs: "stream",
    react: (context) => streamed(context, (frames) => [...frames, ...withRole(frames, "text").slice(-2)]),
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
    title: "unknown event",
    needs: "stream",
    react: (context) => streamed(context, (frames) => afterTokens(frames, 2, [unknownEvent(context)])),
  },
  35: {
    title: "error event first",
    needs: "stream",
    react: (context) => streamed(context, () => [errorEvent(context)]),
  },
  36: {
    title: "error event after content",
    parameter: "tokens before it",
    needs: "stream",
    react: (context) =>
      streamed(context, (frames) => {
        const [before] = splitAfter(frames, numberIn(context, 3));
        return [...before, errorEvent(context)];
      }),
  },
  37: {
    title: "terminal event missing",
    needs: "stream",
    react: (context) => streamed(context, (frames) => frames.filter(({ role }) => role !== "end")),
  },
  38: {
    title: "terminal event twice",
    needs: "stream",
    react: (context) => streamed(context, (frames) => [...frames, ...withRole(frames, "end")]),
  },
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

function streamed(context: FaultContext, change: (frames: readonly Frame[]) => readonly Frame[]): Reaction {
  return reply(streamReply(context, change(context.dialect.frames(context.answer, context.request))));
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

function errorEvent({ dialect, request }: FaultContext): Frame {
  return dialect.errorFrame({ name: "overloaded", model: request.model });
}

/** An event of a future API. It has a name where events have names. */
function unknownEvent({ dialect, answer, request }: FaultContext): Frame {
  const hasNames = dialect.frames(answer, request).some(({ event }) => event !== undefined);
  const type = "simulated.unknown_event";
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
