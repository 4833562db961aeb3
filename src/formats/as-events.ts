import { type Fields, isFields, listOf } from "./fields.ts";

type Event = Fields & { readonly type: string };

/**
 * A whole answer as the stream that was asked for. Some servers send JSON all the same, in which the SDKs' streams find no event: their
 * callers get an empty answer without an error. Undefined: it can't be streamed.
 */
export function asEvents(answer: unknown): string | undefined {
  if (Array.isArray(answer)) return unnamed(answer);
  if (!isFields(answer)) return undefined;
  if (Array.isArray(answer.choices)) return `${unnamed([chunkOf(answer)])}data: [DONE]\n\n`;
  if ("candidates" in answer || "promptFeedback" in answer) return unnamed([answer]);
  if (answer.type === "message") return named(messageEvents(answer));
  const { object, status } = answer;
  // One that runs in the background has no end yet.
  const hasEnded = status === "completed" || status === "incomplete";
  return object === "response" && hasEnded ? named(responseEvents(answer)) : undefined;
}

function unnamed(events: readonly unknown[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
}

function named(events: readonly Event[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

/** OpenAI's chat completion; a text completion is its own chunk. */
function chunkOf(answer: Fields): Fields {
  const choices = listOf(answer.choices).map(({ message, ...rest }, at) => {
    const choice: Fields = { index: at, ...rest };
    const finish_reason = choice.finish_reason ?? "stop";
    if (!isFields(message)) return { ...choice, finish_reason };
    const calls = listOf(message.tool_calls).map((call, index) => ({ index, ...call }));
    return { ...choice, delta: { ...message, ...(calls.length > 0 && { tool_calls: calls }) }, finish_reason };
  });
  const isChat = answer.object === "chat.completion";
  return { ...answer, ...(isChat && { object: "chat.completion.chunk" }), choices };
}

/** SDKs need one, and not every server gives it. */
const NO_USAGE = { input_tokens: 0, output_tokens: 0 };

/** Anthropic's message. */
function messageEvents(message: Fields): readonly Event[] {
  const { content, stop_reason, stop_sequence = null, usage = NO_USAGE } = message;
  const start = { ...message, usage, content: [], stop_reason: null, stop_sequence: null };
  return [
    { type: "message_start", message: start },
    ...listOf(content).flatMap((block, index): readonly Event[] => [
      { type: "content_block_start", index, content_block: { ...block, ...EMPTY_BLOCK[String(block.type)] } },
      ...deltasOf(block).map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason, stop_sequence }, usage },
    { type: "message_stop" },
  ];
}

/** What of a block comes in pieces. Others come whole. */
const EMPTY_BLOCK: Readonly<Record<string, Fields>> = {
  text: { text: "" },
  thinking: { thinking: "", signature: "" },
  tool_use: { input: {} },
  server_tool_use: { input: {} },
};

function deltasOf({ type, text, thinking, signature, input }: Fields): readonly Fields[] {
  switch (type) {
    case "text":
      return [{ type: "text_delta", text }];
    case "thinking":
      return [
        { type: "thinking_delta", thinking },
        { type: "signature_delta", signature: signature ?? "" },
      ];
    case "tool_use":
    case "server_tool_use":
      return [{ type: "input_json_delta", partial_json: JSON.stringify(input ?? {}) }];
    default:
      return [];
  }
}

/** OpenAI's response. */
function responseEvents(response: Fields): readonly Event[] {
  const start = { ...response, status: "in_progress", output: [], usage: null };
  const events: readonly Event[] = [
    { type: "response.created", response: start },
    ...listOf(response.output).flatMap(itemEvents),
    { type: `response.${String(response.status)}`, response },
  ];
  return events.map((event, sequence_number) => ({ ...event, sequence_number }));
}

function itemEvents(item: Fields, output_index: number): readonly Event[] {
  const at = { item_id: item.id, output_index };
  const isCall = item.type === "function_call";
  const isMessage = item.type === "message";
  const begun = { ...item, ...(isMessage && { content: [] }), ...(isCall && { arguments: "" }) };
  const added = { type: "response.output_item.added", output_index, item: begun };
  const done = { type: "response.output_item.done", output_index, item };
  if (isMessage)
    return [
      added,
      ...listOf(item.content).flatMap((part, content_index) => partEvents(part, { ...at, content_index })),
      done,
    ];
  if (!isCall) return [added, done];
  const input = item.arguments ?? "";
  return [
    added,
    { type: "response.function_call_arguments.delta", ...at, delta: input },
    { type: "response.function_call_arguments.done", ...at, name: item.name, arguments: input },
    done,
  ];
}

function partEvents(part: Fields, at: Fields): readonly Event[] {
  const field = part.type === "refusal" ? "refusal" : "text";
  const name = part.type === "refusal" ? "response.refusal" : "response.output_text";
  const more = part.type === "refusal" ? {} : { logprobs: [] };
  return [
    { type: "response.content_part.added", ...at, part: { ...part, [field]: "" } },
    { type: `${name}.delta`, ...at, delta: part[field], ...more },
    { type: `${name}.done`, ...at, [field]: part[field], ...more },
    { type: "response.content_part.done", ...at, part },
  ];
}
