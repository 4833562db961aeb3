import type { EventReader, Meaning } from "./event-meaning.ts";
import { type Fields, isFields, isFilled } from "./fields.ts";
import { CandidateEventReader } from "./read-candidate-event.ts";
import { ChatEventReader } from "./read-chat-event.ts";
import { MESSAGE_EVENTS, MessageEventReader } from "./read-message-event.ts";
import { ResponseEventReader } from "./read-response-event.ts";

/**
 * Reads the events of one answer, whatever its wire format: that is known from the events themselves, because many servers speak
 * a format under a path of their own.
 */
export class AnswerReader implements EventReader<unknown> {
  private chat: ChatEventReader | undefined;
  private response: ResponseEventReader | undefined;
  private message: MessageEventReader | undefined;
  private candidate: CandidateEventReader | undefined;
  private readonly mayBeSilent: (() => boolean) | undefined;

  /** `mayBeSilent`: whether a turn that the model ends without a word is an answer, which only the request shows. Default: it is none. */
  constructor(mayBeSilent?: () => boolean) {
    this.mayBeSilent = mayBeSilent;
  }

  /** Whether the body may end here, though no event has said so for certain. */
  get mayHaveEnded(): boolean {
    return this.candidate?.mayHaveEnded === true;
  }

  read(event: unknown): Meaning {
    // No format has such events, but none is said to be free to add them either.
    if (!isFields(event)) return "noise";
    if (isErrorEvent(event)) return { problem: event };
    if (Array.isArray(event.choices)) {
      this.chat ??= new ChatEventReader();
      return this.chat.read(event);
    }
    const { type } = event;
    if (typeof type === "string" && type.startsWith("response.")) {
      this.response ??= new ResponseEventReader();
      return this.response.read(event);
    }
    if (MESSAGE_EVENTS.has(type)) {
      this.message ??= new MessageEventReader(this.mayBeSilent);
      return this.message.read(event);
    }
    if ("candidates" in event || "promptFeedback" in event) {
      this.candidate ??= new CandidateEventReader();
      return this.candidate.read(event);
    }
    return isFields(event.usage) || isFields(event.usageMetadata) ? "noise" : "unknown";
  }
}

/** Wrapped, as vLLM has it, or as OpenAI's responses have it. */
export function isErrorEvent(event: Fields): boolean {
  return isFilled(event.error) || event.object === "error" || event.type === "error";
}
