export type Unknowns = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Unknowns {
  return typeof value === "object" && value !== null;
}

/** A field of an answer. A getter may throw: the AI SDK's `output` does after a tool call. */
export function fieldOf(value: Unknowns, name: string): unknown {
  try {
    return value[name];
  } catch {
    return undefined;
  }
}

/** The text of a message's content: a string, or a list of parts among which reasoning, tool calls and images are none. */
export function textOfParts(content: unknown): string | undefined {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map(textOfPart).join("") : undefined;
}

function textOfPart(part: unknown): string {
  if (typeof part === "string") return part;
  if (!isObject(part) || typeof part.text !== "string" || part.thought === true) return "";
  // Gemini's and Bedrock's parts have no type.
  return part.type === undefined || part.type === "text" || part.type === "output_text" ? part.text : "";
}
