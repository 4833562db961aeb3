import type { AssistantPart } from "../wire/message.ts";
import type { ProviderEvent } from "./provider.ts";

/** The parts of an assistant's message, as far as it has come: pure, for every event anew. */
export function collectPart(parts: readonly AssistantPart[], event: ProviderEvent): readonly AssistantPart[] {
  const last = parts.at(-1);
  switch (event.type) {
    case "text":
      if (event.text === "") return parts;
      if (last?.type === "text") return [...parts.slice(0, -1), { type: "text", text: last.text + event.text }];
      return [...parts, { type: "text", text: event.text }];
    case "reasoning": {
      const { text, providerData } = event;
      if (text === "" && providerData === undefined) return parts;
      const data = providerData === undefined ? {} : { providerData };
      // What the provider wants back closes the block.
      const isOpen = last?.type === "reasoning" && last.providerData === undefined;
      if (isOpen) return [...parts.slice(0, -1), { type: "reasoning", text: last.text + text, ...data }];
      return [...parts, { type: "reasoning", text, ...data }];
    }
    case "tool-call":
      return [...parts, event];
    case "alive":
    case "usage":
    case "finish":
    case "error":
      return parts;
    default:
      return event satisfies never;
  }
}

export function collectParts(events: readonly ProviderEvent[]): readonly AssistantPart[] {
  return events.reduce<readonly AssistantPart[]>(collectPart, []);
}
