import { type Fields, isErrorEvent, isFields, parseJson } from "../../formats/index.ts";

/** What the AI SDK's providers put into a stream, or throw, when an event is not what they expect. */
interface SdkFault {
  readonly name: string;
  readonly message: string;
  /** The event, where it could be parsed. */
  readonly value?: unknown;
  /** The event, where it could not. */
  readonly text?: unknown;
  readonly statusCode?: unknown;
  readonly responseBody?: unknown;
}

const INVALID_EVENT = "AI_TypeValidationError";
const INVALID_JSON = "AI_JSONParseError";
/** An end without a finish reason, a tool call without an id. */
const INVALID_DATA = "AI_InvalidResponseDataError";

/** What a provider throws for a body that is no answer. Anthropic's: also when the first event is one of the above, which then is the body. */
const FAILED_CALL = "AI_APICallError";

/** What really went wrong: the event itself, if it was one that only the SDK could not read. */
export function problemIn(fault: unknown): unknown {
  if (isNamed(fault, INVALID_JSON)) return broken("An event of the stream is no JSON", fault.text);
  if (isNamed(fault, INVALID_DATA)) return { code: "stream_broken", message: fault.message };
  if (isNamed(fault, INVALID_EVENT))
    return errorIn(fault.value) ?? broken("An event of the stream makes no sense", fault.value);
  if (!isNamed(fault, FAILED_CALL)) return fault;
  const first = firstEventFault(fault);
  return first === undefined ? bodyFault(fault) : problemIn(first);
}

/** A body with a good status that could not be read: the error in it, if it is one. */
function bodyFault(fault: SdkFault): unknown {
  const { statusCode, responseBody } = fault;
  if (typeof statusCode !== "number" || statusCode >= 300 || typeof responseBody !== "string") return fault;
  return errorIn(parseJson(responseBody)) ?? broken(`HTTP ${statusCode} without an answer`, responseBody);
}

/** An error that came as an answer. */
export function errorIn(body: unknown): Fields | undefined {
  return isFields(body) && isErrorEvent(body) ? body : undefined;
}

function firstEventFault({ responseBody }: SdkFault): unknown {
  if (typeof responseBody !== "string" || !/^\{"name":"AI_(?:JSONParse|TypeValidation)Error"/.test(responseBody))
    return undefined;
  return JSON.parse(responseBody);
}

/** The SDK's own message quotes its schema at length, and the classifier would read codes out of it. */
function broken(message: string, event: unknown): unknown {
  const shown = typeof event === "string" ? event : JSON.stringify(event ?? "");
  return { code: "stream_broken", message: `${message}: ${shown}`.slice(0, 500) };
}

function isNamed(fault: unknown, name: string): fault is SdkFault {
  return typeof fault === "object" && fault !== null && "name" in fault && fault.name === name;
}
