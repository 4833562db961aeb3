/** How an answer ended, and whether it contains any text. */
interface AnswerEnd {
  readonly finish: "end" | "tool-use" | "length" | "content-filter";
  readonly hasText: boolean;
}

/** Why a finished answer is incomplete; undefined: it is complete. For hosts without tools. */
export function sayShortfall({ finish, hasText }: AnswerEnd): string | undefined {
  switch (finish) {
    case "length":
      return hasText
        ? "Incomplete answer: the model reached its output limit"
        : "No answer: the model reached its output limit before any text";
    case "content-filter":
      return hasText ? "Incomplete answer: stopped by the content filter" : "No answer: blocked by the content filter";
    case "tool-use":
      return hasText
        ? "Incomplete answer: the model requested a tool, but no tools are available here"
        : "No answer: the model requested a tool, but no tools are available here";
    case "end":
      return hasText ? undefined : "No answer: the model returned no text";
    default:
      return finish satisfies never;
  }
}
