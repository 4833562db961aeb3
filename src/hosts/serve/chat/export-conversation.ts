import { markdownOf, sectionsOf } from "../../../session/record/markdown-of.ts";
import type { ConversationView } from "../../../wire/http/chat.ts";

const TYPES = { markdown: "text/markdown", json: "application/json" } as const;
const ENDINGS = { markdown: "md", json: "json" } as const;

/** A conversation as a file to download. */
export function exportConversation(view: ConversationView, format: keyof typeof TYPES): Response {
  const messages = view.lines.flatMap((line) => (line.type === "message" ? [line.message] : []));
  const text = format === "json" ? `${JSON.stringify(view, null, 2)}\n` : markdownOf(view.title, sectionsOf(messages));
  return new Response(text, {
    headers: {
      "content-type": `${TYPES[format]}; charset=utf-8`,
      // The id alone: a title is any text.
      "content-disposition": `attachment; filename="conversation-${view.id}.${ENDINGS[format]}"`,
    },
  });
}
