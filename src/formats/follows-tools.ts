import { isFields, listOf, parseJson } from "./fields.ts";

/**
 * Whether a request in Anthropic's format asks the model to go on after the results of its tools. Claude then may end its turn without
 * a word, and says nothing again if it is asked again.
 */
export function followsTools(body: string): boolean {
  const request = parseJson(body);
  const last = isFields(request) ? listOf(request.messages).at(-1) : undefined;
  return listOf(last?.content).some(({ type }) => String(type).endsWith("tool_result"));
}
