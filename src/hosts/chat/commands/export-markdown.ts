import type { Item } from "../state/item.ts";

/** The conversation as Markdown: messages and tool results, without our notices. */
export function exportMarkdown(title: string, items: readonly Item[]): string {
  return [`# ${title}`, ...items.flatMap(sectionOf)].join("\n\n").concat("\n");
}

function sectionOf(item: Item): readonly string[] {
  switch (item.kind) {
    case "user":
      return ["## You", item.text];
    case "assistant":
      return [
        "## Assistant",
        ...(item.text === "" ? [] : [item.text]),
        ...(item.remark === undefined ? [] : [`_${item.remark.text}_`]),
      ];
    case "tool": {
      const call = `${item.name} ${JSON.stringify(item.arguments)}`;
      return [fence(item.result === undefined ? call : `${call}\n${item.result.content}`)];
    }
    case "notice":
    case "page":
      return [];
    default:
      return item satisfies never;
  }
}

/** Longer than any run of backticks inside, so that a tool result can't close the block. */
function fence(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const marks = "`".repeat(longest + 1);
  return `${marks}\n${text}\n${marks}`;
}
