import { type Answer, argumentPieces, blockIndex, type ToolCall } from "../answer/answer.ts";
import { anthropicErrorFrame, anthropicErrorReply } from "./anthropic-errors.ts";
import { readAnthropicRequest } from "./anthropic-request.ts";
import { type Dialect, type Frame, type FrameRole, frame } from "./dialect.ts";

const STOP = { end: "end_turn", tool: "tool_use", length: "max_tokens" } as const;
const SIGNATURE = "c2ltdWxhdGVk";

/** `/v1/messages` */
export const anthropic: Dialect = {
  provider: "anthropic",
  readRequest: readAnthropicRequest,
  frames: anthropicFrames,
  whole: wholeMessage,
  errorReply: anthropicErrorReply,
  errorFrame: anthropicErrorFrame,
  headers: ({ id }) => ({
    "request-id": `req_${id}`,
    "anthropic-ratelimit-requests-limit": "50",
    "anthropic-ratelimit-requests-remaining": "49",
    "anthropic-ratelimit-input-tokens-limit": "30000",
    "anthropic-ratelimit-input-tokens-remaining": "29000",
  }),
};

/** One content block: its opening and its deltas. */
interface Block {
  readonly role: FrameRole;
  readonly opening: object;
  readonly deltas: readonly object[];
}

function anthropicFrames(answer: Answer): readonly Frame[] {
  const say = (role: FrameRole, data: { readonly type: string }): Frame => frame(role, data, data.type);
  const blocks = blocksOf(answer);
  const opening = { ...wholeMessage(answer), content: [], stop_reason: null, usage: usageOf(answer, 1) };
  return [
    say("open", { type: "message_start", ...{ message: opening } }),
    say("open", { type: "ping" }),
    ...blocks.flatMap(({ role, opening: content_block, deltas }, place) => {
      const index = blockIndex(answer, place, blocks.length);
      const inBlock = (type: string, more: object): { readonly type: string } => ({ type, ...{ index, ...more } });
      return [
        say("other", inBlock("content_block_start", { content_block })),
        ...deltas.map((delta) => say(role, inBlock("content_block_delta", { delta }))),
        say("other", inBlock("content_block_stop", {})),
      ];
    }),
    say("other", {
      type: "message_delta",
      ...{
        delta: { stop_reason: STOP[answer.stop], stop_sequence: null },
        usage: usageOf(answer, answer.usage.outputTokens),
      },
    }),
    say("end", { type: "message_stop" }),
  ];
}

function blocksOf({ reasoning, text, toolCalls }: Answer): readonly Block[] {
  const thinking: Block = {
    role: "reasoning",
    opening: { type: "thinking", thinking: "", signature: "" },
    deltas: [
      ...reasoning.map((piece) => ({ type: "thinking_delta", thinking: piece })),
      { type: "signature_delta", signature: SIGNATURE },
    ],
  };
  const spoken: Block = {
    role: "text",
    opening: { type: "text", text: "" },
    deltas: text.map((piece) => ({ type: "text_delta", text: piece })),
  };
  return [
    ...(reasoning.length > 0 ? [thinking] : []),
    ...(text.length > 0 ? [spoken] : []),
    ...toolCalls.map((call): Block => ({ role: "tool", opening: toolUse(call, {}), deltas: argumentDeltas(call) })),
  ];
}

function argumentDeltas(call: ToolCall): readonly object[] {
  return ["", ...argumentPieces(call)].map((piece) => ({ type: "input_json_delta", partial_json: piece }));
}

function toolUse({ id, name }: ToolCall, input: object): object {
  return { type: "tool_use", id: `toolu_${id}`, name, input };
}

function wholeMessage(answer: Answer): object {
  const { id, model, reasoning, text, toolCalls, stop } = answer;
  return {
    id: `msg_${id}`,
    type: "message",
    role: "assistant",
    model,
    content: [
      ...(reasoning.length > 0 ? [{ type: "thinking", thinking: reasoning.join(""), signature: SIGNATURE }] : []),
      ...(text.length > 0 ? [{ type: "text", text: text.join("") }] : []),
      ...toolCalls.map((call) => toolUse(call, call.arguments)),
    ],
    stop_reason: STOP[stop],
    stop_sequence: null,
    usage: usageOf(answer, answer.usage.outputTokens),
  };
}

function usageOf({ usage }: Answer, outputTokens: number): object {
  return {
    input_tokens: usage.inputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: outputTokens,
    service_tier: "standard",
  };
}
