import type { EventReader, Meaning } from "./event-meaning.ts";
import { type Fields, isFields, isFilled } from "./fields.ts";
import { brokenInput, ToolInputs } from "./tool-inputs.ts";
import { hasOutput } from "./whole-answers.ts";

/** OpenAI's responses: events of type `response.…`. */
export class ResponseEventReader implements EventReader<Fields> {
  private readonly inputs = new ToolInputs();

  read(event: Fields): Meaning {
    const { type } = event;
    switch (type) {
      case "response.completed":
      case "response.incomplete":
        return this.readEnd(event);
      case "response.failed":
        return { problem: isFields(event.response) ? event.response : event };
      case "response.function_call_arguments.delta":
        this.inputs.add(event.item_id ?? event.output_index, event.delta);
        return isFilled(event.delta) ? "content" : "noise";
      case "response.function_call_arguments.done":
        this.inputs.set(event.item_id ?? event.output_index, event.arguments);
        return "life";
      case "response.created":
      case "response.queued":
      case "response.in_progress":
      case "response.content_part.added":
        return "noise";
      case "response.output_item.added":
        // The frame of a message that has yet to begin. Anything else, such as a search, is the model at work.
        return isFields(event.item) && event.item.type === "message" ? "noise" : "life";
      default:
        if (isDelta(type)) return isFilled(event.delta) ? "content" : "noise";
        return "life";
    }
  }

  private readEnd({ type, response }: Fields): Meaning {
    const broken = type === "response.completed" ? this.inputs.broken() : undefined;
    if (broken !== undefined) return brokenInput(broken);
    // An answer that was cut off by a limit or a filter is an answer, even without a word.
    const isAnswer = type === "response.incomplete" || (isFields(response) && hasOutput(response.output));
    return isAnswer ? "content-last" : "last";
  }
}

function isDelta(type: unknown): boolean {
  return typeof type === "string" && (type.endsWith(".delta") || type.endsWith(".partial_image"));
}
