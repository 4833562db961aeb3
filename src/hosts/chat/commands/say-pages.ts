import type { Credential } from "../../../credentials/index.ts";
import { shortId } from "../../../session/find-conversation.ts";
import type { ConfigEntry, ConversationSummary } from "../../../store/index.ts";

export function sayConfig(entries: readonly ConfigEntry[]): string {
  const lines = entries.flatMap(({ key, value, isDefault, description, allowed }) => [
    `- \`${key}\` = \`${JSON.stringify(value)}\`${isDefault ? " (default)" : ""}`,
    `  ${description}; ${allowed}`,
  ]);
  return ["## Settings", "", ...lines, "", "Sessions read them when they are opened."].join("\n");
}

export function saySessions(list: readonly ConversationSummary[], current: string): string {
  if (list.length === 0) return "No conversation is kept yet.";
  const lines = list.map(({ id, title, entries, updatedAt }, index) => {
    const when = new Date(updatedAt).toISOString().slice(0, 16).replace("T", " ");
    const here = id === current ? " **(here)**" : "";
    // The title is what somebody typed: no marks of its own, and one line.
    return `${index + 1}. ${plain(title)}${here} · ${when} · ${entries} entries · ${plain(shortId(id))}`;
  });
  return ["## Conversations", "", ...lines, "", "`/sessions 2` goes to the second, `/sessions new` starts one."].join(
    "\n",
  );
}

export function sayModels(models: readonly string[], current: string): string {
  const lines = models.map((model) => `- ${model}${model === current ? " **(now)**" : ""}`);
  return ["## Models", "", ...lines, "", "`/model provider/model` takes any that a provider has."].join("\n");
}

export function sayKeys(keys: readonly Credential[]): string {
  const lines = keys.map(({ id, masked, origin, from }) => `- ${id} ${masked} for ${origin}, from ${from}`);
  const none = ["No keys yet: simulated models work without."];
  return ["## Keys", "", ...(lines.length === 0 ? none : lines), "", "`secondwind keys add` stores one."].join("\n");
}

function plain(text: string): string {
  return text.replace(/[`*_[\]\n]/g, " ");
}
