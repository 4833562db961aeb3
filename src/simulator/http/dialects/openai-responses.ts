import { type Answer, blockIndex, CREATED_SECONDS } from "../answer/answer.ts";
import { type Dialect, type Frame, frame } from "./dialect.ts";
import { openaiHeaders } from "./openai-chat.ts";
import { openaiErrorReply, responsesErrorFrame } from "./openai-errors.ts";
import { readResponsesRequest } from "./openai-request.ts";
import { type ItemEvent, itemsOf } from "./openai-responses-items.ts";

/** `/v1/responses`. Its terminal event is `response.completed` or `response.incomplete`; there is no `[DONE]`. */
export const openaiResponses: Dialect = {
  provider: "openai",
  readRequest: readResponsesRequest,
  frames: responsesFrames,
  whole: wholeResponse,
  errorReply: openaiErrorReply,
  errorFrame: responsesErrorFrame,
  headers: openaiHeaders,
};

function responsesFrames(answer: Answer): readonly Frame[] {
  const items = itemsOf(answer);
  const opening = {
    ...wholeResponse(answer),
    status: "in_progress",
    output: [],
    usage: null,
    incomplete_details: null,
  };
  const ending = answer.stop === "length" ? "response.incomplete" : "response.completed";
  const events: readonly ItemEvent[] = [
    { role: "open", data: { type: "response.created", response: opening } },
    { role: "open", data: { type: "response.in_progress", response: opening } },
    ...items.flatMap((item, place) => item.events(blockIndex(answer, place, items.length))),
    { role: "end", data: { type: ending, response: wholeResponse(answer) } },
  ];
  return events.map(({ role, data }, place) => frame(role, { ...data, sequence_number: place }, data.type));
}

function wholeResponse(answer: Answer): Readonly<Record<string, unknown>> {
  const { inputTokens, outputTokens, reasoningTokens } = answer.usage;
  const isCutShort = answer.stop === "length";
  return {
    id: `resp_${answer.id}`,
    object: "response",
    created_at: CREATED_SECONDS,
    status: isCutShort ? "incomplete" : "completed",
    background: false,
    error: null,
    incomplete_details: isCutShort ? { reason: "max_output_tokens" } : null,
    instructions: null,
    max_output_tokens: null,
    model: answer.model,
    output: itemsOf(answer).map(({ whole }) => whole),
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    service_tier: "default",
    store: false,
    temperature: 1,
    text: { format: { type: "text" } },
    tool_choice: "auto",
    tools: [],
    top_p: 1,
    truncation: "disabled",
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: reasoningTokens },
      total_tokens: inputTokens + outputTokens,
    },
    user: null,
    metadata: {},
  };
}
