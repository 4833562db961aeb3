import { isObject, type Unknowns } from "./text-of-parts.ts";

/** Events of Anthropic's stream and parts of the AI SDK's that carry no text of the answer. */
const WITHOUT_TEXT: ReadonlySet<string> = new Set(
  [
    "message_start message_delta message_stop content_block_stop ping error",
    "start start-step text-start text-end tool-input-start tool-input-delta tool-input-end tool-call tool-result tool-error",
    "tool-approval-request tool-output-denied source file finish-step finish abort raw stream-start response-metadata",
    "object",
  ]
    .join(" ")
    .split(" "),
);

/** The text in an event of a stream, found by its type. Undefined: no event that is known. */
export function textOfEvent(event: Unknowns): string | undefined {
  const { type } = event;
  if (typeof type !== "string") return ofBedrock(event);
  if (type === "text-delta" || type === "text_delta" || type === "response.output_text.delta") return deltaOf(event);
  if (type === "content_block_start") return ofBlock(event.content_block);
  if (type === "content_block_delta") return ofBlock(event.delta);
  // `response.output_text.done` repeats the deltas.
  if (type.startsWith("response.") || /reasoning|thinking/.test(type) || WITHOUT_TEXT.has(type)) return "";
  return undefined;
}

function deltaOf({ text, delta }: Unknowns): string {
  if (typeof text === "string") return text;
  return typeof delta === "string" ? delta : "";
}

function ofBlock(block: unknown): string {
  if (!isObject(block) || typeof block.text !== "string") return "";
  return block.type === "text" || block.type === "text_delta" ? block.text : "";
}

function ofBedrock({ contentBlockDelta, messageStop, messageStart, metadata }: Unknowns): string | undefined {
  if (isObject(contentBlockDelta) && isObject(contentBlockDelta.delta)) {
    const { text } = contentBlockDelta.delta;
    return typeof text === "string" ? text : "";
  }
  return isObject(messageStart) || isObject(messageStop) || (isObject(metadata) && "metrics" in metadata)
    ? ""
    : undefined;
}
