import { type Answer, argumentPieces, type ToolCall } from "../answer/answer.ts";
import type { FrameRole } from "./dialect.ts";

/** An output item of the Responses API with the events that stream it; sequence numbers are added later. */
interface Item {
  readonly whole: Readonly<Record<string, unknown>>;
  readonly events: (outputIndex: number) => readonly ItemEvent[];
}

export interface ItemEvent {
  readonly role: FrameRole;
  readonly data: Readonly<Record<string, unknown>> & { readonly type: string };
}

export function itemsOf(answer: Answer): readonly Item[] {
  return [
    ...(answer.reasoning.length > 0 ? [reasoningItem(answer)] : []),
    ...(answer.text.length > 0 ? [messageItem(answer)] : []),
    ...answer.toolCalls.map(callItem),
  ];
}

function reasoningItem({ id, reasoning }: Answer): Item {
  const item = { id: `rs_${id}`, type: "reasoning" };
  const part = (text: string) => ({ type: "summary_text", text });
  const text = reasoning.join("");
  const whole = { ...item, summary: [part(text)] };
  return {
    whole,
    events: (output_index) => {
      const at = { item_id: item.id, output_index, summary_index: 0 };
      return [
        event("other", "output_item.added", { output_index, item: { ...item, summary: [] } }),
        event("other", "reasoning_summary_part.added", { ...at, part: part("") }),
        ...reasoning.map((delta) => event("reasoning", "reasoning_summary_text.delta", { ...at, delta })),
        event("other", "reasoning_summary_text.done", { ...at, text }),
        event("other", "reasoning_summary_part.done", { ...at, part: part(text) }),
        event("other", "output_item.done", { output_index, item: whole }),
      ];
    },
  };
}

function messageItem({ id, text: chunks, stop }: Answer): Item {
  const item = { id: `msg_${id}`, type: "message", role: "assistant" };
  const part = (text: string) => ({ type: "output_text", text, annotations: [], logprobs: [] });
  const text = chunks.join("");
  const whole = { ...item, status: stop === "length" ? "incomplete" : "completed", content: [part(text)] };
  return {
    whole,
    events: (output_index) => {
      const at = { item_id: item.id, output_index, content_index: 0 };
      return [
        event("other", "output_item.added", { output_index, item: { ...item, status: "in_progress", content: [] } }),
        event("other", "content_part.added", { ...at, part: part("") }),
        ...chunks.map((delta) => event("text", "output_text.delta", { ...at, delta, logprobs: [] })),
        event("other", "output_text.done", { ...at, text, logprobs: [] }),
        event("other", "content_part.done", { ...at, part: part(text) }),
        event("other", "output_item.done", { output_index, item: whole }),
      ];
    },
  };
}

function callItem(call: ToolCall): Item {
  const item = { id: `fc_${call.id}`, type: "function_call", call_id: call.id, name: call.name };
  const opening = { ...item, arguments: "", status: "in_progress" };
  const whole = { ...item, arguments: call.argumentsText, status: "completed" };
  return {
    whole,
    events: (output_index) => {
      const at = { item_id: item.id, output_index };
      return [
        event("tool", "output_item.added", { output_index, item: opening }),
        ...argumentPieces(call).map((delta) => event("tool", "function_call_arguments.delta", { ...at, delta })),
        event("tool", "function_call_arguments.done", { ...at, arguments: call.argumentsText }),
        event("tool", "output_item.done", { output_index, item: whole }),
      ];
    },
  };
}

function event(role: FrameRole, kind: string, fields: object): ItemEvent {
  return { role, data: { type: `response.${kind}`, ...fields } };
}
