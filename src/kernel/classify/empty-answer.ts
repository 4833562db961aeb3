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

/** How proxies begin when they put an error where the answer should be. */
const REPORTS_ERROR =
  /^[^\w\n{]{0,8}(?:(?:\w{1,12} ){0,2}(?:error|exception|failed|failure)(?: (?:code|message|\d{3}))? ?[:([：（]|(?:错误|失败|エラー) ?[:([：（]|\{\s{0,8}"error"\s{0,4}:)/i;

/** The text of a good answer, if it is the report of an error: some proxies answer a chat with it. */
export function errorInAnswer(body: unknown): string | undefined {
  if (!isNode(body)) return undefined;
  const { choices, candidates, content, message } = body;
  const list: unknown = Array.isArray(body) ? body : (choices ?? candidates);
  const first: unknown = Array.isArray(list) ? list[0] : body;
  const text = isNode(first) ? textOf(first.message ?? first.delta ?? first.content ?? content ?? message) : undefined;
  return text !== undefined && REPORTS_ERROR.test(text) ? text : undefined;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!isNode(value)) return undefined;
  const { content, parts, text } = value;
  const part: unknown = Array.isArray(value) ? value[0] : (text ?? (Array.isArray(parts) ? parts[0] : content));
  return typeof part === "string" ? part : isNode(part) && typeof part.text === "string" ? part.text : undefined;
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
