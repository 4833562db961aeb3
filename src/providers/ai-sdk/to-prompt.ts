import type { LanguageModelV3Message, LanguageModelV3Prompt, SharedV3ProviderOptions } from "@ai-sdk/provider";
import type { AssistantMessage, AssistantPart, Message, ToolMessage } from "../../wire/message.ts";
import type { ProviderRequest } from "../provider.ts";

type AssistantContent = Extract<LanguageModelV3Message, { role: "assistant" }>["content"];
type ToolContent = Extract<LanguageModelV3Message, { role: "tool" }>["content"];

/** A conversation as the AI SDK's providers take it. */
export function toPrompt({ system, messages }: ProviderRequest, provider: string): LanguageModelV3Prompt {
  const answered = new Set(messages.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : [])));
  const prompt: LanguageModelV3Prompt = system === undefined ? [] : [{ role: "system", content: system }];
  for (const message of messages) {
    switch (message.role) {
      case "user":
        prompt.push({ role: "user", content: [{ type: "text", text: message.content }] });
        break;
      case "assistant": {
        const content = assistantContent(message, { provider, answered });
        // Every provider refuses a message without content: one that failed before its first word, say.
        if (content.length > 0) prompt.push({ role: "assistant", content });
        break;
      }
      case "tool":
        addResult(prompt, message, messages);
        break;
      default:
        message satisfies never;
    }
  }
  return prompt;
}

interface Sending {
  readonly provider: string;
  /** Ids of the calls that have a result. */
  readonly answered: ReadonlySet<string>;
}

function assistantContent({ parts, model }: AssistantMessage, { provider, answered }: Sending): AssistantContent {
  const isOwn = model.startsWith(`${provider}/`);
  return parts.flatMap((part): AssistantContent => {
    switch (part.type) {
      case "text":
        return part.text === "" ? [] : [{ type: "text", text: part.text }];
      case "reasoning":
        // Signed by the provider that made it: another provider could not check it, and would refuse it.
        return isOwn ? [{ type: "reasoning", text: part.text, ...given(part) }] : [];
      case "tool-call":
        // A call without its result (the turn was cut off in between) is refused by all of them.
        if (!answered.has(part.id)) return [];
        return [{ type: "tool-call", toolCallId: part.id, toolName: part.name, input: part.arguments, ...given(part) }];
      default:
        return part satisfies never;
    }
  });
}

/** What the provider gave us to give back. */
function given(part: Extract<AssistantPart, { providerData?: unknown }>): {
  providerOptions?: SharedV3ProviderOptions;
} {
  const { providerData } = part;
  if (typeof providerData !== "object" || providerData === null) return {};
  return { providerOptions: providerData as SharedV3ProviderOptions };
}

/** Results of calls that were made side by side belong into one message. */
function addResult(prompt: LanguageModelV3Prompt, message: ToolMessage, messages: readonly Message[]): void {
  const { toolCallId, toolName, content, isError } = message;
  if (!isCalled(messages, toolCallId)) return;
  const output = isError
    ? ({ type: "error-text", value: content } as const)
    : ({ type: "text", value: content } as const);
  const result: ToolContent[number] = { type: "tool-result", toolCallId, toolName, output };
  const last = prompt.at(-1);
  if (last?.role === "tool") last.content.push(result);
  else prompt.push({ role: "tool", content: [result] });
}

/** A result whose call was compacted away is refused as well. */
function isCalled(messages: readonly Message[], id: string): boolean {
  return messages.some(
    (message) =>
      message.role === "assistant" && message.parts.some((part) => part.type === "tool-call" && part.id === id),
  );
}
