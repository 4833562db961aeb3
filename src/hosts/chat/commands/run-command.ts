import type { ChatController } from "../controller.ts";
import { COMMANDS, HELP_PAGE, parseCommand } from "./command-list.ts";
import { exportMarkdown } from "./export-markdown.ts";
import { readValue } from "./read-value.ts";
import { sayInfo } from "./say-info.ts";
import { sayConfig, sayKeys, sayModels, saySessions } from "./say-pages.ts";

const MOST_SESSIONS = 20;

/** Does what a line with a slash says. Rejects with what the person is to be told. */
export async function runCommand(chat: ChatController, text: string): Promise<void> {
  const { name, words } = parseCommand(text);
  const show = (page: string): void => chat.dispatch({ type: "page", text: page });
  switch (name) {
    case "help":
      return show(HELP_PAGE);
    case "info":
      return show(sayInfo(chat.state, chat.session.autoRetryEnabled));
    case "model":
      if (words[0] === undefined) return show(sayModels(chat.parts.models, chat.session.model));
      return chat.session.setModel(words[0]);
    case "retry":
      return retry(chat, words[0]);
    case "keys":
      return show(sayKeys(await chat.parts.listKeys()));
    case "config":
      return configure(chat, words);
    case "sessions":
      return sessions(chat, words[0]);
    case "export":
      return exportTo(chat, words.join(" "));
    case "quit":
      return chat.leave();
    case undefined:
      throw new Error(`${text.split(/\s/)[0]} is none of ${COMMANDS.map(([known]) => `/${known}`).join(" ")}`);
    default:
      name satisfies never;
  }
}

async function retry(chat: ChatController, word: string | undefined): Promise<void> {
  if (word === "on" || word === "off") {
    await chat.session.setAutoRetryEnabled(word === "on");
    return chat.dispatch({ type: "notice", tone: "info", text: `Automatic retries are ${word}.` });
  }
  if (chat.retryNow()) return;
  if (word !== undefined) throw new Error(word === "now" ? "Nothing waits for a retry" : "/retry takes now, on or off");
  if (chat.session.isStreaming) throw new Error("The agent is at work");
  const last = chat.state.items.findLast((item) => item.kind === "user");
  if (last?.kind !== "user") throw new Error("Nothing was said yet");
  chat.say(last.text);
}

async function configure(chat: ChatController, [key, ...values]: readonly string[]): Promise<void> {
  const { config } = chat.parts;
  const show = async (wanted?: string): Promise<void> => {
    const entries = await config.list();
    const shown = entries.filter((entry) => wanted === undefined || entry.key === wanted);
    chat.dispatch({ type: "page", text: sayConfig(shown) });
  };
  if (key === undefined) return show();
  // Asked first: an unknown key is refused with the known ones.
  await config.get(key);
  const value = values.join(" ");
  if (value === "-") await config.remove(key);
  else if (value !== "") await config.set(key, readValue(value));
  return show(key);
}

async function sessions(chat: ChatController, word: string | undefined): Promise<void> {
  const list = await chat.parts.conversations.list({ limit: MOST_SESSIONS });
  const { conversationId } = chat.state;
  if (word === undefined) return chat.dispatch({ type: "page", text: saySessions(list, conversationId) });
  if (word === "new") return chat.go(undefined);
  const chosen = /^\d{1,3}$/.test(word) ? list[Number(word) - 1] : list.find(({ id }) => id.startsWith(word));
  const found = chosen ?? (await chat.parts.conversations.get(word));
  if (found === undefined) throw new Error(`No conversation ${word}; /sessions lists them`);
  if (found.id === conversationId) throw new Error("That is where you are");
  return chat.go(found.id);
}

async function exportTo(chat: ChatController, given: string): Promise<void> {
  const { conversationId, items } = chat.state;
  const path = given === "" ? `secondwind-${conversationId.slice(0, 8)}.md` : given;
  const title = (await chat.parts.conversations.get(conversationId))?.title ?? "Conversation";
  const written = await chat.parts.writeNew(path, exportMarkdown(title, items));
  chat.dispatch({ type: "notice", tone: "good", text: `Written to ${written}` });
}
