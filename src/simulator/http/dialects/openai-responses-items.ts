import { type Answer, argumentPieces, type ToolCall } from "../answer/answer.ts";
import type { FrameRole } from "./dialect.ts";

/** An output item of the Responses API with the events that stream it, in order, numbers still missing. */
export interface Item {
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
  const text = reasoning.join("");
  const whole = { ...item, summary: [{ type: "summary_text", text }] };
  return {
    whole,
    events: (outputIndex) => {
      const place = { item_id: item.id, output_index: outputIndex, summary_index: 0 };
      const say = (kind: string, more: object): ItemEvent["data"] => ({ type: `response.${kind}`, ...place, ...more });
      return [
        added(outputIndex, { ...item, summary: [] }),
        other(say("reasoning_summary_part.added", { part: { type: "summary_text", text: "" } })),
        ...reasoning.map((delta) => event("reasoning", say("reasoning_summary_text.delta", { delta }))),
        other(say("reasoning_summary_text.done", { text })),
        other(say("reasoning_summary_part.done", { part: { type: "summary_text", text } })),
        done(outputIndex, whole),
      ];
    },
  };
}

function messageItem({ id, text: chunks, stop }: Answer): Item {
  const item = { id: `msg_${id}`, type: "message", role: "assistant" };
  const text = chunks.join("");
  const part = (said: string) => ({ type: "output_text", text: said, annotations: [], logprobs: [] });
  const whole = { ...item, status: stop === "length" ? "incomplete" : "completed", content: [part(text)] };
  return {
    whole,
    events: (outputIndex) => {
      const place = { item_id: item.id, output_index: outputIndex, content_index: 0 };
      const say = (kind: string, more: object): ItemEvent["data"] => ({ type: `response.${kind}`, ...place, ...more });
      return [
        added(outputIndex, { ...item, status: "in_progress", content: [] }),
        other(say("content_part.added", { part: part("") })),
        ...chunks.map((delta) => event("text", say("output_text.delta", { delta, logprobs: [] }))),
        other(say("output_text.done", { text, logprobs: [] })),
        other(say("content_part.done", { part: part(text) })),
        done(outputIndex, whole),
      ];
    },
  };
}

function callItem(call: ToolCall): Item {
  const item = { id: `fc_${call.id}`, type: "function_call", call_id: call.id, name: call.name };
  const whole = { ...item, arguments: call.argumentsText, status: "completed" };
  return {
    whole,
    events: (outputIndex) => {
      const place = { item_id: item.id, output_index: outputIndex };
      const say = (kind: string, more: object): ItemEvent["data"] => ({
        type: `response.function_call_arguments.${kind}`,
        ...place,
        ...more,
      });
      return [
        event("tool", added(outputIndex, { ...item, arguments: "", status: "in_progress" }).data),
        ...argumentPieces(call).map((delta) => event("tool", say("delta", { delta }))),
        event("tool", say("done", { arguments: call.argumentsText })),
        event("tool", done(outputIndex, whole).data),
      ];
    },
  };
}

function added(outputIndex: number, item: object): ItemEvent {
  return other({ type: "response.output_item.added", output_index: outputIndex, item });
}

function done(outputIndex: number, item: object): ItemEvent {
  return other({ type: "response.output_item.done", output_index: outputIndex, item });
}

function other(data: ItemEvent["data"]): ItemEvent {
  return event("other", data);
}

function event(role: FrameRole, data: ItemEvent["data"]): ItemEvent {
  return { role, data };
}
