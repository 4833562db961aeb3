import { markdownOf, type Section } from "../../../session/record/markdown-of.ts";
import type { Item } from "../state/item.ts";

/** The conversation as Markdown: messages and tool results, without our notices. */
export function exportMarkdown(title: string, items: readonly Item[]): string {
  return markdownOf(title, items.flatMap(sectionOf));
}

function sectionOf(item: Item): readonly Section[] {
  switch (item.kind) {
    case "user":
      return [{ kind: item.kind, text: item.text }];
    case "assistant":
    case "tool":
      return [item];
    case "notice":
    case "page":
      return [];
    default:
      return item satisfies never;
  }
}
