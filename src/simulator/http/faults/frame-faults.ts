import type { Answer } from "../answer/answer.ts";
import { callTool } from "../answer/choose-tool.ts";
import { planAnswer } from "../answer/plan-answer.ts";
import { type Frame, type FrameRole, frame } from "../dialects/dialect.ts";
import { answerReply, streamReply } from "../wire/answer-reply.ts";
import type { Performance } from "../wire/reply.ts";
import { isToken, plainReply } from "../wire/reply.ts";
import { cutArguments } from "./cut-arguments.ts";
import { type FaultScene, type FaultTable, numberIn, reply } from "./fault.ts";

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
    perform: (scene) => streamed(scene, (frames) => [...frames, ...withRole(frames, "text").slice(-2)]),
  },
  33: {
    title: "invalid JSON",
    parameter: "how many tokens come first",
    perform: (scene) =>
      scene.ask.isStreaming
        ? streamed(scene, (frames) => afterTokens(frames, numberIn(scene, 2), [frame("other", BROKEN_JSON)]))
        : reply(plainReply(200, { "content-type": "application/json" }, BROKEN_JSON)),
  },
  34: {
    title: "unknown event",
    needs: "stream",
    perform: (scene) => streamed(scene, (frames) => afterTokens(frames, 2, [unknownEvent(scene)])),
  },
  35: {
    title: "error event first",
    needs: "stream",
    perform: (scene) => streamed(scene, () => [errorEvent(scene)]),
  },
  36: {
    title: "error event after content",
    parameter: "how many tokens come first",
    needs: "stream",
    perform: (scene) =>
      streamed(scene, (frames) => {
        const [before] = splitAfter(frames, numberIn(scene, 3));
        return [...before, errorEvent(scene)];
      }),
  },
  37: {
    title: "terminal event missing",
    needs: "stream",
    perform: (scene) => streamed(scene, (frames) => frames.filter(({ role }) => role !== "end")),
  },
  38: {
    title: "terminal event twice",
    needs: "stream",
    perform: (scene) => streamed(scene, (frames) => [...frames, ...withRole(frames, "end")]),
  },
  39: { title: "tool arguments cut", parameter: "how many characters are kept", perform: cutToolArguments },
  40: {
    title: "block indexes out of order",
    needs: "stream",
    perform: (scene) => reply(answerReply({ ...scene, answer: { ...withTools(scene, 2), indexes: "falling" } })),
  },
  41: {
    title: "valid stream without content",
    perform: (scene) => reply(answerReply({ ...scene, answer: planAnswer(scene.ask, { seed: 1, say: "nothing" }) })),
  },
};

function streamed(scene: FaultScene, change: (frames: readonly Frame[]) => readonly Frame[]): Performance {
  return reply(streamReply(scene, change(scene.dialect.frames(scene.answer, scene.ask))));
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

function errorEvent({ dialect, ask }: FaultScene): Frame {
  return dialect.errorFrame({ problem: "overloaded", model: ask.model });
}

/** Something from next year's API. Where events have names, it has one. */
function unknownEvent({ dialect, answer, ask }: FaultScene): Frame {
  const hasNames = dialect.frames(answer, ask).some(({ event }) => event !== undefined);
  const type = "simulated.unknown_event";
  return frame("other", { type, sequence_number: 2, note: "nobody knows this one" }, hasNames ? type : undefined);
}

/** An answer that calls so many tools, whether the client has offered any or not. */
function withTools({ ask, answer }: FaultScene, count: number): Answer {
  const tool = ask.tools[0] ?? SAMPLE_TOOL;
  const calls = Array.from({ length: count }, (_, place) => callTool(tool, ask.prompt, place + 1));
  return { ...answer, toolCalls: calls, stop: "tool" };
}

function cutToolArguments(scene: FaultScene): Performance {
  const answer = withTools(scene, 1);
  return reply(cutArguments({ ...scene, answer }, scene.parameter === undefined ? undefined : numberIn(scene, 0)));
}
