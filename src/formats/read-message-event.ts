import type { EventReader, Meaning } from "./event-meaning.ts";
import { type Fields, isFields, isFilled } from "./fields.ts";
import { brokenInput, ToolInputs } from "./tool-inputs.ts";

const PLAIN_ENDS: ReadonlySet<unknown> = new Set(["end_turn", "stop_sequence", "tool_use", null, undefined]);

/** Anthropic's messages: events with the types below. */
export const MESSAGE_EVENTS: ReadonlySet<unknown> = new Set(
  "message_start message_delta message_stop content_block_start content_block_delta content_block_stop ping error".split(
    " ",
  ),
);

export class MessageEventReader implements EventReader<Fields> {
  private readonly inputs = new ToolInputs();
  private readonly mayBeSilent: () => boolean;
  private stopReason: unknown = undefined;
  private hasContent = false;

  /** `mayBeSilent`: whether a turn that ends without a word is an answer. */
  constructor(mayBeSilent: () => boolean = () => false) {
    this.mayBeSilent = mayBeSilent;
  }

  read(event: Fields): Meaning {
    const meaning = this.readEvent(event);
    if (meaning === "content") this.hasContent = true;
    return meaning;
  }

  private readEvent(event: Fields): Meaning {
    switch (event.type) {
      case "content_block_start":
        return readBlock(event.content_block);
      case "content_block_delta":
        return this.readDelta(event);
      case "message_delta":
        if (isFields(event.delta)) this.stopReason = event.delta.stop_reason ?? this.stopReason;
        return "noise";
      case "message_stop":
        return this.readEnd();
      case "error":
        return { problem: event };
      default:
        return "noise";
    }
  }

  private readDelta({ index, delta }: Fields): Meaning {
    if (!isFields(delta)) return "noise";
    const { type, text, thinking, partial_json: json } = delta;
    if (type === "input_json_delta") this.inputs.add(index, json);
    // A signature alone commits to nothing: the reader would not miss it. But the model is at work.
    if (type === "signature_delta") return "life";
    const isKnown = text !== undefined || thinking !== undefined || json !== undefined;
    const value = isKnown ? (text ?? thinking ?? json) : Object.entries(delta).filter(([name]) => name !== "type");
    return isFilled(value) ? "content" : "noise";
  }

  private readEnd(): Meaning {
    const broken = this.stopReason === "max_tokens" ? undefined : this.inputs.broken();
    if (broken !== undefined) return brokenInput(broken);
    if (this.hasContent) return "last";
    // A refusal or a limit that was reached is an answer, even without a word.
    const isAnswer = !PLAIN_ENDS.has(this.stopReason) || (this.stopReason === "end_turn" && this.mayBeSilent());
    return isAnswer ? "content-last" : "last";
  }
}

function readBlock(block: unknown): Meaning {
  if (!isFields(block)) return "noise";
  const { type, text, thinking } = block;
  if (type === "text") return isFilled(text) ? "content" : "noise";
  if (type === "thinking") return isFilled(thinking) ? "content" : "life";
  // A tool call, its result, a redacted thought.
  return "content";
}
