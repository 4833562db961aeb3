import type { ToolCall } from "../answer/answer.ts";
import { answerReply, type ReplyContext } from "../wire/answer-reply.ts";
import { bodyOf, type Reply } from "../wire/reply.ts";

/**
 * The answer with only part of the arguments of its tool call. Where arguments are sent as text, the rest of the answer is
 * complete. Where they are a JSON value (Gemini, and Anthropic without a stream), the body ends inside them, cleanly.
 */
export function cutArguments(context: ReplyContext, keep: number | undefined): Reply {
  const [call] = context.answer.toolCalls;
  if (call === undefined) return answerReply(context);
  const kept = Math.min(keep ?? Math.ceil(call.argumentsText.length / 2), call.argumentsText.length - 1);
  const { provider } = context.dialect;
  const isText = provider === "openai" || (provider === "anthropic" && context.request.isStreaming);
  return isText ? answerReply(withCut(context, call, kept)) : bodyCut(answerReply(context), call, kept);
}

function withCut(context: ReplyContext, call: ToolCall, kept: number): ReplyContext {
  const cut = { ...call, argumentsText: call.argumentsText.slice(0, kept) };
  return { ...context, answer: { ...context.answer, toolCalls: [cut] } };
}

function bodyCut(reply: Reply, { argumentsText }: ToolCall, kept: number): Reply {
  const body = bodyOf(reply);
  const end = body.indexOf(argumentsText) + Buffer.byteLength(argumentsText.slice(0, kept));
  return { ...reply, pieces: [{ bytes: body.subarray(0, end), role: "other", afterMs: 0 }] };
}
