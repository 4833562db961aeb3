/** The arguments of the tool calls of one answer, which come in pieces: used only if they parse at the end (E15b). */
export class ToolInputs {
  private readonly texts = new Map<string, string>();

  /**
   * A call with an id. Gemini's compatible endpoint gives all calls the same index: arguments that are whole by now were
   * those of the one before. Others go on, because some servers name every piece.
   */
  begin(call: unknown): void {
    const key = String(call);
    const text = this.texts.get(key);
    if (text?.endsWith("}") === true && isJson(text)) this.texts.delete(key);
  }

  add(call: unknown, text: unknown): void {
    if (typeof text !== "string") return;
    const key = String(call);
    this.texts.set(key, (this.texts.get(key) ?? "") + text);
  }

  /** Whole arguments in place of their pieces. */
  set(call: unknown, text: unknown): void {
    if (typeof text === "string") this.texts.set(String(call), text);
  }

  /** The arguments that are no JSON; undefined: all are usable. Providers send an empty text for a tool without arguments. */
  broken(): string | undefined {
    for (const text of this.texts.values()) if (text.trim() !== "" && !isJson(text)) return text;
    return undefined;
  }
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The end of an answer whose tool arguments were cut. */
export function brokenInput(text: string): { readonly problem: unknown } {
  const message = `The arguments of a tool call are no JSON: ${text.slice(0, 200)}`;
  return { problem: { code: "malformed_function_call", message } };
}
