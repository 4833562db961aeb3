import { type Answer, argumentPieces, blockIndex, CREATED_SECONDS, type ToolCall } from "../answer/answer.ts";
import type { ModelRequest } from "../answer/model-request.ts";
import { type Dialect, type Frame, type FrameRole, frame } from "./dialect.ts";
import { chatErrorFrame, openaiErrorReply } from "./openai-errors.ts";
import { readChatRequest } from "./openai-request.ts";

const FINISH = { end: "stop", tool: "tool_calls", length: "length" } as const;

/** `/v1/chat/completions` */
export const openaiChat: Dialect = {
  provider: "openai",
  readRequest: readChatRequest,
  frames: chatFrames,
  whole: wholeChat,
  errorReply: openaiErrorReply,
  errorFrame: chatErrorFrame,
  headers: openaiHeaders,
};

export function openaiHeaders({ id }: Answer): Readonly<Record<string, string>> {
  return {
    "x-request-id": `req_${id}`,
    "openai-processing-ms": "12",
    "openai-version": "2020-10-01",
    "x-ratelimit-limit-requests": "10000",
    "x-ratelimit-remaining-requests": "9999",
    "x-ratelimit-reset-requests": "6ms",
  };
}

function chatFrames(answer: Answer, { wantsUsage }: ModelRequest): readonly Frame[] {
  const chunk = (role: FrameRole, choices: readonly unknown[], usage: unknown = null): Frame =>
    frame(role, {
      id: `chatcmpl-${answer.id}`,
      object: "chat.completion.chunk",
      created: CREATED_SECONDS,
      model: answer.model,
      service_tier: "default",
      system_fingerprint: "fp_sim",
      choices,
      // If usage is requested, every chunk but the last has `usage: null`.
      ...(wantsUsage && { usage }),
    });
  const delta = (role: FrameRole, value: unknown): Frame =>
    chunk(role, [{ index: 0, delta: value, logprobs: null, finish_reason: null }]);
  const finish = { index: 0, delta: {}, logprobs: null, finish_reason: FINISH[answer.stop] };
  return [
    delta("open", { role: "assistant", content: "", refusal: null }),
    ...answer.reasoning.map((text) => delta("reasoning", { reasoning_content: text })),
    ...answer.text.map((content) => delta("text", { content })),
    ...answer.toolCalls.flatMap((call, place) =>
      toolDeltas(call, blockIndex(answer, place, answer.toolCalls.length)).map((value) => delta("tool", value)),
    ),
    chunk("end", [finish]),
    ...(wantsUsage ? [chunk("other", [], usageOf(answer))] : []),
    frame("end", "[DONE]"),
  ];
}

function toolDeltas(call: ToolCall, index: number): readonly unknown[] {
  const { id, name } = call;
  return [
    { tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] },
    ...argumentPieces(call).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ];
}

function wholeChat(answer: Answer): unknown {
  const message = {
    role: "assistant",
    content: answer.text.length === 0 && answer.toolCalls.length > 0 ? null : answer.text.join(""),
    refusal: null,
    annotations: [],
    ...(answer.reasoning.length > 0 && { reasoning_content: answer.reasoning.join("") }),
    ...(answer.toolCalls.length > 0 && { tool_calls: answer.toolCalls.map(wholeCall) }),
  };
  return {
    id: `chatcmpl-${answer.id}`,
    object: "chat.completion",
    created: CREATED_SECONDS,
    model: answer.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: FINISH[answer.stop] }],
    usage: usageOf(answer),
    service_tier: "default",
    system_fingerprint: "fp_sim",
  };
}

function wholeCall({ id, name, argumentsText }: ToolCall): unknown {
  return { id, type: "function", function: { name, arguments: argumentsText } };
}

function usageOf({ usage: { inputTokens, outputTokens, reasoningTokens } }: Answer): unknown {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reasoningTokens,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
