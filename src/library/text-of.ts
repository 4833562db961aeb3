/** The text of an answer as clients commonly give it: a string, or an object with `text` or `content`. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return undefined;
  const { text, content } = value as { readonly text?: unknown; readonly content?: unknown };
  if (typeof text === "string") return text;
  return typeof content === "string" ? content : undefined;
}
