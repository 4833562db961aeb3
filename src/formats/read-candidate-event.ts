import { ChoiceEnds, joinMeanings } from "./choice-ends.ts";
import type { EventReader, Meaning } from "./event-meaning.ts";
import { type Fields, isFields, listOf } from "./fields.ts";

const PLAIN_END = "STOP";
/** The model could not write what it wanted to: the same prompt often works the next time. */
const FAILED: ReadonlySet<unknown> = new Set(["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "MALFORMED_RESPONSE"]);

/** Gemini: events with `candidates`, or with the reason why there are none. */
export class CandidateEventReader implements EventReader<Fields> {
  /**
   * Some endpoints give the reason with every event, and the last one is the end. So a reason beside the first content may be one of
   * these: whether it was the end is known when the body is over, or when the next event comes.
   */
  mayHaveEnded = false;
  private hasPlainContent = false;
  private readonly ends = new ChoiceEnds();

  read(event: Fields): Meaning {
    // A blocked prompt is an answer: the caller's code looks for it.
    if (isFields(event.promptFeedback) && event.promptFeedback.blockReason !== undefined) return "content-end";
    let meaning: Meaning | undefined;
    for (const candidate of listOf(event.candidates))
      meaning = joinMeanings(meaning, this.readCandidate(candidate, event));
    return meaning ?? "noise";
  }

  private readCandidate({ index = 0, content, finishReason }: Fields, event: Fields): Meaning {
    const hasContent = isFields(content) && listOf(content.parts).some(isContent);
    const isEnd = typeof finishReason === "string" && finishReason !== "" && !finishReason.endsWith("_UNSPECIFIED");
    if (!isEnd) {
      // It was the end, and this comes after it.
      if (hasContent && this.mayHaveEnded) return "unknown";
      if (hasContent) this.hasPlainContent = true;
      return this.ends.read({ index, hasContent, end: undefined });
    }
    if (finishReason === PLAIN_END && hasContent && !this.hasPlainContent) {
      this.mayHaveEnded = true;
      return "content";
    }
    if (FAILED.has(finishReason) && !hasContent) return { problem: event };
    return this.ends.read({ index, hasContent, end: finishReason === PLAIN_END ? "plain" : "news" });
  }
}

/** A signature beside an empty text is no content. */
function isContent({ text, thought, thoughtSignature, ...rest }: Fields): boolean {
  return (typeof text === "string" && text !== "") || Object.keys(rest).length > 0;
}
