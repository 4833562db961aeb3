/** How an answer ended, and whether it contains any text. */
interface AnswerEnd {
  readonly finish: "end" | "tool-use" | "length" | "content-filter";
  readonly hasText: boolean;
}

/** Why a finished answer is incomplete; undefined: it is complete. For hosts without tools. */
export function sayShortfall({ finish, hasText }: AnswerEnd): string | undefined {
  switch (finish) {
    case "length":
      return hasText ? "The answer is cut at the model's limit" : "No answer: cut at the model's limit before a word";
    case "content-filter":
      return hasText ? "The answer is cut by the content filter" : "No answer: kept back by the content filter";
    case "tool-use":
      return hasText
        ? "The answer is cut: the model wants a tool, and there is none here"
        : "No answer: the model wants a tool, and there is none here";
    case "end":
      return hasText ? undefined : "No answer: the model ended without a word";
    default:
      return finish satisfies never;
  }
}
