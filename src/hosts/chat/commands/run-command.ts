import { findConversation, shortId } from "../../../session/record/find-conversation.ts";
import type { ConversationSummary } from "../../../store/index.ts";
import type { ChatController } from "../controller.ts";
import { COMMANDS, HELP_PAGE, parseCommand } from "./command-list.ts";
import { exportMarkdown } from "./export-markdown.ts";
import { sayInfo } from "./say-info.ts";
import { sayConfig, sayKeys, sayModels, saySessions } from "./say-pages.ts";

const MOST_SESSIONS = 20;
const MOST_EXPORTS = 99;

/** Runs a slash command. Rejects with a message for the user. */
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
      return retry(chat, words.length === 0 ? undefined : words.join(" "));
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
      throw new Error(
        `Unknown command: ${text.split(/\s/)[0]}. Commands: ${COMMANDS.map(([known]) => `/${known}`).join(" ")}`,
      );
    default:
      name satisfies never;
  }
}

async function retry(chat: ChatController, word: string | undefined): Promise<void> {
  if (word === "on" || word === "off") {
    await chat.session.setAutoRetryEnabled(word === "on");
    return chat.dispatch({ type: "notice", tone: "info", text: `Automatic retries are ${word}.` });
  }
  if (word !== undefined && word !== "now") throw new Error("Usage: /retry [now|on|off]");
  if (chat.retryNow()) return;
  if (word === "now") throw new Error("No retry is waiting");
  if (chat.session.isStreaming) throw new Error("The agent is still working");
  const last = chat.state.items.findLast((item) => item.kind === "user");
  if (last?.kind !== "user") throw new Error("There is no message to send again");
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
  // Rejects an unknown key, naming the known ones.
  await config.get(key);
  const value = values.join(" ");
  if (value === "-") await config.remove(key);
  else if (value !== "") await config.set(key, readValue(value));
  return show(key);
}

/** JSON where it parses, else the text itself. */
function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function sessions(chat: ChatController, word: string | undefined): Promise<void> {
  const list = await chat.parts.conversations.list({ limit: MOST_SESSIONS });
  const { conversationId } = chat.state;
  if (word === undefined) return chat.dispatch({ type: "page", text: saySessions(list, conversationId) });
  if (word === "new") return chat.go(undefined);
  const id = numbered(word, list) ?? (await named(word, chat));
  if (id === conversationId) throw new Error("That conversation is already open");
  return chat.go(id);
}

function numbered(word: string, list: readonly ConversationSummary[]): string | undefined {
  return /^\d{1,3}$/.test(word) ? list[Number(word) - 1]?.id : undefined;
}

async function named(word: string, chat: ChatController): Promise<string> {
  const search = await findConversation(chat.parts.conversations, word);
  if ("found" in search) return search.found.id;
  throw new Error(`${word} must be ${search.wanted}; /sessions lists them`);
}

async function exportTo(chat: ChatController, given: string): Promise<void> {
  const { conversationId, items } = chat.state;
  const title = (await chat.parts.conversations.get(conversationId))?.title ?? "Conversation";
  const text = exportMarkdown(title, items);
  const written =
    given === "" ? await writeNumbered(chat, nameOf(conversationId), text) : await chat.parts.writeNew(given, text);
  chat.dispatch({ type: "notice", tone: "good", text: `Exported to ${written}` });
}

/** An id from the command line may contain anything, slashes too. */
function nameOf(conversationId: string): string {
  return `secondwind-${shortId(conversationId)
    .replace(/[^\w-]+/g, "_")
    .slice(0, 60)}`;
}

/** Never overwrites an earlier export: adds a number instead. */
async function writeNumbered({ parts }: ChatController, name: string, text: string): Promise<string> {
  for (let count = 1; ; count++) {
    try {
      return await parts.writeNew(count === 1 ? `${name}.md` : `${name}.${count}.md`, text);
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code !== "EEXIST" || count === MOST_EXPORTS) throw fault;
    }
  }
}
