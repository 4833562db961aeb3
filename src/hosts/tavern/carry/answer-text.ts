/** The text to check for required content. Undefined for a tool call without text. */
export function answerText(answer: unknown): string | undefined {
  if (typeof answer === "string") return answer;
  if (typeof answer !== "object" || answer === null) return undefined;
  const { content, tool_calls: calls } = answer as { readonly content?: unknown; readonly tool_calls?: unknown };
  if (typeof content !== "string") return undefined;
  // By its length: the array comes from another realm.
  const hasCalls =
    typeof calls === "object" && calls !== null && Number((calls as { readonly length?: unknown }).length) > 0;
  return content === "" && hasCalls ? undefined : content;
}
