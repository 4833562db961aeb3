/** What an event means in the wire formats that we speak. */
export type EventMeaning =
  /** A part of the answer, an error, a ping: to be read. */
  | "known"
  /** Of no format: something new, which old clients are asked to ignore. */
  | "unknown"
  /** The terminal marker, after which usage may still come: OpenAI's chat, Gemini. */
  | "end"
  /** The terminal marker, after which nothing counts: Anthropic's and OpenAI's. */
  | "last"
  /** No JSON. */
  | "broken";

type Fields = Readonly<Record<string, unknown>>;

const DONE = "[DONE]";
const ANTHROPIC: ReadonlySet<unknown> = new Set(
  "message_start message_delta message_stop content_block_start content_block_delta content_block_stop ping error".split(
    " ",
  ),
);
const LAST: ReadonlySet<unknown> = new Set([
  "message_stop",
  "response.completed",
  "response.incomplete",
  "response.failed",
]);
/** Names that the formats give to their events; `message` is the default of server-sent events. */
const KNOWN_NAME = /^(?:$|message|content_block|response|error|ping)/;
const KNOWN_FIELDS = ["choices", "candidates", "error", "promptFeedback", "usage", "usageMetadata"];
/** An event this long is content. To parse it twice would take as long as to receive it. */
const MOST_CHARS = 1_000_000;

export function meaningOf(data: string, name: string): EventMeaning {
  if (data.trim() === DONE) return "last";
  if (data.length > MOST_CHARS) return "known";
  const value = parse(data);
  if (value === undefined) return KNOWN_NAME.test(name) ? "broken" : "unknown";
  // No format has such events, but none is said to be free to add them either.
  if (!isObject(value)) return "known";
  if (LAST.has(value.type)) return "last";
  if (isSet(first(value.choices)?.finish_reason) || isSet(first(value.candidates)?.finishReason)) return "end";
  return isKnown(value) ? "known" : "unknown";
}

/** What still counts of an event after the terminal marker: the usage, without anything beside it. */
export function usageOf(data: string): string | undefined {
  const value = parse(data);
  if (!isObject(value)) return undefined;
  const { usage, usageMetadata } = value;
  if (isObject(usage)) return JSON.stringify({ ...value, choices: [] });
  return isObject(usageMetadata) ? JSON.stringify({ usageMetadata }) : undefined;
}

function isKnown(value: Fields): boolean {
  const { type } = value;
  if (KNOWN_FIELDS.some((field) => field in value)) return true;
  // vLLM's errors are not wrapped.
  return ANTHROPIC.has(type) || (typeof type === "string" && type.startsWith("response.")) || value.object === "error";
}

/** Some servers put an empty reason into every event. */
function isSet(reason: unknown): boolean {
  return typeof reason === "string" && reason !== "" && reason !== "FINISH_REASON_UNSPECIFIED";
}

function first(list: unknown): Fields | undefined {
  const item: unknown = Array.isArray(list) ? list[0] : undefined;
  return isObject(item) ? item : undefined;
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
