import type { Credential } from "../../../credentials/index.ts";
import { shortId } from "../../../session/record/choose-conversation.ts";
import type { ConfigEntry, ConversationSummary } from "../../../store/index.ts";

export function sayConfig(entries: readonly ConfigEntry[]): string {
  const lines = entries.flatMap(({ key, value, isDefault, description, allowed }) => [
    `- \`${key}\` = \`${JSON.stringify(value)}\`${isDefault ? " (default)" : ""}`,
    `  ${description}; ${allowed}`,
  ]);
  return page(
    "Settings",
    lines,
    "Settings that begin with `retry.` apply from the next message on, the others when a conversation opens.",
  );
}

export function saySessions(list: readonly ConversationSummary[], current: string): string {
  if (list.length === 0) return "No saved conversations.";
  const lines = list.map(({ id, title, entries, updatedAt }, index) => {
    const when = new Date(updatedAt).toISOString().slice(0, 16).replace("T", " ");
    const here = id === current ? " **(open)**" : "";
    return `${index + 1}. ${plain(title)}${here} · ${when} · ${entries} entries · ${plain(shortId(id))}`;
  });
  return page("Conversations", lines, "`/sessions 2` opens the second one, `/sessions new` starts a new one.");
}

export function sayModels(models: readonly string[], current: string): string {
  const lines = models.map((model) => `- ${model}${model === current ? " **(active)**" : ""}`);
  return page("Models", lines, "`/model provider/model` also takes models that are not listed here.");
}

export function sayKeys(keys: readonly Credential[]): string {
  const lines = keys.map(({ id, masked, origin, from }) => `- ${id} ${masked} for ${origin}, from ${from}`);
  const none = ["No keys. Simulated models work without one."];
  return page("Keys", lines.length === 0 ? none : lines, "`secondwind keys add` stores a key.");
}

function page(title: string, lines: readonly string[], note: string): string {
  return [`## ${title}`, "", ...lines, "", note].join("\n");
}

/** User text on one line, without Markdown marks. */
function plain(text: string): string {
  return text.replace(/[`*_[\]\n]/g, " ");
}
