import type { ToolCall } from "../answer/answer.ts";
import { answerReply, type Scene } from "../wire/answer-reply.ts";
import { bodyOf, type Reply } from "../wire/reply.ts";

/**
 * The tool call of the answer with only part of its arguments. Where arguments travel as text, the rest of the answer is
 * whole, terminal event and all. Where they travel as a JSON value (Gemini, and Anthropic without a stream), they cannot
 * be cut without cutting the body, which then ends there, cleanly.
 */
export function cutArguments(scene: Scene, keep: number | undefined): Reply {
  const [call] = scene.answer.toolCalls;
  if (call === undefined) return answerReply(scene);
  const kept = Math.min(keep ?? Math.ceil(call.argumentsText.length / 2), call.argumentsText.length - 1);
  const { provider } = scene.dialect;
  const isText = provider === "openai" || (provider === "anthropic" && scene.ask.isStreaming);
  return isText ? answerReply(withCut(scene, call, kept)) : bodyCut(answerReply(scene), call, kept);
}

function withCut(scene: Scene, call: ToolCall, kept: number): Scene {
  const cut = { ...call, argumentsText: call.argumentsText.slice(0, kept) };
  return { ...scene, answer: { ...scene.answer, toolCalls: [cut] } };
}

function bodyCut(reply: Reply, { argumentsText }: ToolCall, kept: number): Reply {
  const body = bodyOf(reply);
  const end = body.indexOf(argumentsText) + Buffer.byteLength(argumentsText.slice(0, kept));
  return { ...reply, pieces: [{ bytes: body.subarray(0, end), role: "other", afterMs: 0 }] };
}
