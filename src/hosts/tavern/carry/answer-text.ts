/** The text to check for required content. True for a tool call without text, and for what is no answer we know: not checked. */
export function answerText(answer: unknown): string | true {
  if (typeof answer === "string") return answer;
  if (typeof answer !== "object" || answer === null) return true;
  const { content, tool_calls: calls } = answer as { readonly content?: unknown; readonly tool_calls?: unknown };
  if (typeof content !== "string") return true;
  // By its length: the array comes from another realm.
  const hasCalls =
    typeof calls === "object" && calls !== null && Number((calls as { readonly length?: unknown }).length) > 0;
  return content === "" && hasCalls ? true : content;
}
