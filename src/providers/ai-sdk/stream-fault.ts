/** What the AI SDK's providers put into a stream when an event is not what they expect. */
interface SchemaFault {
  readonly name: string;
  readonly message: string;
  readonly value?: unknown;
}

const INVALID_EVENT = "AI_TypeValidationError";
const INVALID_JSON = "AI_JSONParseError";
/** An end without a finish reason, a tool call without an id. */
const INVALID_DATA = "AI_InvalidResponseDataError";

/**
 * An event that none of the wire formats knows: something new, which old clients are asked to ignore. What looks like content,
 * an end or an error does not count as such: to pass over it would lose a part of the answer silently.
 */
export function isForeignEvent(fault: unknown): boolean {
  if (!isNamed(fault, INVALID_EVENT)) return false;
  const { value } = fault;
  if (typeof value !== "object" || value === null) return false;
  if (["choices", "candidates", "error", "promptFeedback"].some((key) => key in value)) return false;
  const { type } = value as { readonly type?: unknown };
  return typeof type !== "string" || !/^(?:content_block|message|error|response)/.test(type);
}

/** What really went wrong: the event itself, if it was one that only the SDK could not read. */
export function problemIn(fault: unknown): unknown {
  if (isNamed(fault, INVALID_JSON)) return broken("An event of the stream is no JSON", fault);
  if (isNamed(fault, INVALID_DATA)) return { code: "stream_broken", message: fault.message };
  if (!isNamed(fault, INVALID_EVENT)) return fault;
  const isError = typeof fault.value === "object" && fault.value !== null && "error" in fault.value;
  return isError ? fault.value : broken("An event of the stream makes no sense", fault);
}

/** The SDK's own message quotes its schema at length, and the classifier would read codes out of it. */
function broken(message: string, fault: SchemaFault): unknown {
  return { code: "stream_broken", message: `${message}: ${JSON.stringify(fault.value ?? "")}`.slice(0, 500) };
}

function isNamed(fault: unknown, name: string): fault is SchemaFault {
  return typeof fault === "object" && fault !== null && "name" in fault && fault.name === name;
}
