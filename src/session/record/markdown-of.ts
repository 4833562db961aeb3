import type { AssistantMessage, Message } from "../../wire/index.ts";

/** One part of a conversation, as a reader sees it. */
export type Section =
  | { readonly kind: "user"; readonly text: string }
  | { readonly kind: "assistant"; readonly text: string; readonly remark?: { readonly text: string } }
  | {
      readonly kind: "tool";
      readonly name: string;
      readonly arguments: Readonly<Record<string, unknown>>;
      readonly result?: { readonly content: string };
    };

/** A conversation as Markdown: messages and tool results. */
export function markdownOf(title: string, sections: readonly Section[]): string {
  return [`# ${title}`, ...sections.flatMap(blocksOf)].join("\n\n").concat("\n");
}

export function sectionsOf(messages: readonly Message[]): readonly Section[] {
  const results = new Map(messages.flatMap((one) => (one.role === "tool" ? [[one.toolCallId, one] as const] : [])));
  return messages.flatMap<Section>((message) => {
    if (message.role === "user") return [{ kind: "user", text: message.content }];
    if (message.role === "tool") return [];
    const text = message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
    const remark = remarkOf(message);
    const said: Section[] =
      text === "" && remark === undefined
        ? []
        : [{ kind: "assistant", text, ...(remark !== undefined && { remark: { text: remark } }) }];
    const calls = message.parts.flatMap<Section>((part) => {
      if (part.type !== "tool-call") return [];
      const result = results.get(part.id);
      return [{ kind: "tool", name: part.name, arguments: part.arguments, ...(result !== undefined && { result }) }];
    });
    return [...said, ...calls];
  });
}

/** How an answer ended, unless normally: the provider's message, or ours. */
export function remarkOf({ stopReason, errorMessage }: AssistantMessage): string | undefined {
  return (stopReason === "error" && errorMessage) || REMARKS[stopReason];
}

const REMARKS: Readonly<Partial<Record<AssistantMessage["stopReason"], string>>> = {
  error: "The answer failed.",
  aborted: "Stopped.",
  length: "Cut off at the model's output limit.",
  "content-filter": "Blocked by the provider's content filter.",
};

function blocksOf(section: Section): readonly string[] {
  switch (section.kind) {
    case "user":
      return ["## You", section.text];
    case "assistant":
      return [
        "## Assistant",
        ...(section.text === "" ? [] : [section.text]),
        ...(section.remark === undefined ? [] : [`_${section.remark.text}_`]),
      ];
    case "tool": {
      const call = `${section.name} ${JSON.stringify(section.arguments)}`;
      return [fence(section.result === undefined ? call : `${call}\n${section.result.content}`)];
    }
    default:
      return section satisfies never;
  }
}

/** Longer than any run of backticks inside, so that a tool result can't close the block. */
function fence(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const marks = "`".repeat(longest + 1);
  return `${marks}\n${text}\n${marks}`;
}
