type Node = Readonly<Record<string, unknown>>;

/** What an answer can consist of, in the formats of OpenAI, Anthropic, Gemini and Ollama. */
const CONTENT_KEYS = "content text parts tool_calls function_call refusal audio images output".split(" ");

/**
 * Whether a body is a good answer without anything in it: no choices, or none with a content. Only asked where a body names
 * neither an error nor a reason.
 */
export function isEmptyAnswer(body: unknown): boolean {
  if (!isNode(body)) return false;
  const { choices, candidates, content, output, type, object, message, response, done } = body;
  const list = choices ?? candidates;
  if (Array.isArray(list)) return list.every((item) => isNode(item) && !hasContent(item));
  if (type === "message") return isNothing(content);
  if (object === "response") return isNothing(output);
  return done === true && (isNode(message) ? !hasContent(message) : response === "");
}

function hasContent(item: Node): boolean {
  const parts: readonly unknown[] = [item, item.message, item.delta, item.content];
  return parts.some((part) => isNode(part) && CONTENT_KEYS.some((key) => isSomething(part[key])));
}

/** An object is looked into by its own keys. */
function isSomething(value: unknown): boolean {
  return !isNothing(value) && !(isNode(value) && !Array.isArray(value));
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null;
}
