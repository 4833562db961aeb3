import { checkObject, checkOneOf, InvalidInput } from "../../../kernel/index.ts";
import type { Message } from "../../../wire/message.ts";

const ROLES = ["system", "developer", "user", "assistant"] as const;

interface Conversation {
  readonly system?: readonly string[];
  readonly messages: readonly Message[];
}

/** The messages of a line, as OpenAI writes them. Texts only. Throws `InvalidInput`. */
export function parseMessages(field: string, given: unknown): Conversation {
  if (!Array.isArray(given) || given.length === 0) {
    throw new InvalidInput(field, given, 'a list such as [{"role": "user", "content": "…"}]');
  }
  const system: string[] = [];
  const messages: Message[] = [];
  given.forEach((one: unknown, index) => {
    const at = `${field}[${index}]`;
    const { role, content } = checkObject(at, one);
    const text = textOf(`${at}.content`, content);
    switch (checkOneOf(`${at}.role`, role, ROLES)) {
      case "system":
      case "developer":
        system.push(text);
        break;
      case "user":
        messages.push({ role: "user", content: text });
        break;
      default:
        messages.push({ role: "assistant", parts: [{ type: "text", text }], model: "batch/input", stopReason: "end" });
    }
  });
  if (messages.length === 0) throw new InvalidInput(field, given, "a list with a user message");
  return { system, messages };
}

function textOf(field: string, given: unknown): string {
  if (typeof given === "string") return given;
  if (!Array.isArray(given)) throw new InvalidInput(field, given, "a text, or a list of parts with type text");
  return given
    .map((part: unknown, index) => {
      const at = `${field}[${index}]`;
      const { type, text } = checkObject(at, part);
      checkOneOf(`${at}.type`, type, ["text"]);
      if (typeof text !== "string") throw new InvalidInput(`${at}.text`, text, "a text");
      return text;
    })
    .join("");
}
