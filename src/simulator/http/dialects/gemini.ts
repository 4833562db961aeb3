import { type Answer, blockIndex, type ToolCall } from "../answer/answer.ts";
import { type Dialect, type Frame, type FrameRole, frame } from "./dialect.ts";
import { geminiErrorFrame, geminiErrorReply } from "./gemini-errors.ts";
import { readGeminiRequest } from "./gemini-request.ts";

/** Gemini finishes with STOP after a tool call too. */
const FINISH = { end: "STOP", tool: "STOP", length: "MAX_TOKENS" } as const;

/** `:generateContent`, `:streamGenerateContent` */
export const gemini: Dialect = {
  provider: "gemini",
  readRequest: readGeminiRequest,
  frames: geminiFrames,
  whole: wholeResponse,
  errorReply: geminiErrorReply,
  errorFrame: geminiErrorFrame,
  headers: () => ({ server: "scaffolding on HTTPServer2", "server-timing": "gfet4t7; dur=12" }),
};

function geminiFrames(answer: Answer): readonly Frame[] {
  const chunk = (role: FrameRole, candidate: object): Frame =>
    frame(role, {
      candidates: [candidate],
      usageMetadata: usageOf(answer),
      modelVersion: answer.model,
      responseId: answer.id,
    });
  const parts = (role: FrameRole, list: readonly object[], index = 0): Frame =>
    chunk(role, { content: { parts: list, role: "model" }, index });
  const { toolCalls } = answer;
  return [
    ...answer.reasoning.map((text) => parts("reasoning", [{ text, thought: true }])),
    ...answer.text.map((text) => parts("text", [{ text }])),
    // Parts have no index, so only the index of the candidate can be out of order (fault 40).
    ...toolCalls.map((call, place) =>
      parts("tool", [callPart(call)], answer.indexes === "rising" ? 0 : blockIndex(answer, place, toolCalls.length)),
    ),
    chunk("end", { content: { parts: [{ text: "" }], role: "model" }, finishReason: FINISH[answer.stop], index: 0 }),
  ];
}

function wholeResponse(answer: Answer): unknown {
  const { reasoning, text, toolCalls, stop } = answer;
  const parts = [
    ...(reasoning.length > 0 ? [{ text: reasoning.join(""), thought: true }] : []),
    ...(text.length > 0 ? [{ text: text.join("") }] : []),
    ...toolCalls.map(callPart),
  ];
  const content = parts.length > 0 ? { parts, role: "model" } : { role: "model" };
  return {
    candidates: [{ content, finishReason: FINISH[stop], index: 0 }],
    usageMetadata: usageOf(answer),
    modelVersion: answer.model,
    responseId: answer.id,
  };
}

function callPart({ name, arguments: args }: ToolCall): object {
  return { functionCall: { name, args }, thoughtSignature: "c2ltdWxhdGVk" };
}

function usageOf({ usage: { inputTokens, outputTokens, reasoningTokens } }: Answer): object {
  return {
    promptTokenCount: inputTokens,
    candidatesTokenCount: outputTokens - reasoningTokens,
    totalTokenCount: inputTokens + outputTokens,
    promptTokensDetails: [{ modality: "TEXT", tokenCount: inputTokens }],
    ...(reasoningTokens > 0 && { thoughtsTokenCount: reasoningTokens }),
  };
}
