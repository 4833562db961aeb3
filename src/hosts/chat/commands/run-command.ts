import { findConversation, shortId } from "../../../session/record/choose-conversation.ts";
import type { ChatController } from "../controller.ts";
import { COMMANDS, type CommandName, HELP_PAGE } from "./command-list.ts";
import { exportMarkdown } from "./export-markdown.ts";
import { sayExtensionCommands } from "./extension-command.ts";
import { sayInfo } from "./say-info.ts";
import { sayConfig, sayKeys, sayModels, saySessions } from "./say-pages.ts";

const MOST_SESSIONS = 20;
const MOST_EXPORTS = 99;

type Run = (chat: ChatController, words: readonly string[]) => void | Promise<void>;

const RUN: Readonly<Record<CommandName, Run>> = {
  help: (chat) => show(chat, `${HELP_PAGE}${sayExtensionCommands(chat)}`),
  info: (chat) => show(chat, sayInfo(chat.state, chat.session.autoRetryEnabled)),
  model: (chat, [selector]) =>
    selector === undefined
      ? show(chat, sayModels(chat.parts.models, chat.session.model))
      : chat.session.setModel(selector),
  retry: (chat, words) => retry(chat, words.length === 0 ? undefined : words.join(" ")),
  keys: async (chat) => show(chat, sayKeys(await chat.parts.listKeys())),
  config: configure,
  sessions: (chat, [word]) => sessions(chat, word),
  export: (chat, words) => exportTo(chat, words.join(" ")),
  quit: (chat) => chat.leave(),
};

/** Runs a slash command, for example `/config retry.maxRetries 5`. Rejects with a message for the user. */
export async function runCommand(chat: ChatController, text: string): Promise<void> {
  const [first = "", ...words] = text.slice(1).trim().split(/\s+/);
  const name = COMMANDS.find(([known]) => known === first.toLowerCase())?.[0];
  if (name !== undefined) return RUN[name](chat, words);
  throw new Error(`Unknown command: /${first}. Commands: ${COMMANDS.map(([known]) => `/${known}`).join(" ")}`);
}

function show(chat: ChatController, text: string): void {
  chat.dispatch({ type: "page", text });
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
  if (key === undefined) return show(chat, sayConfig(await config.list()));
  // Rejects an unknown key, naming the known ones.
  await config.get(key);
  const value = values.join(" ");
  if (value === "-") await config.remove(key);
  else if (value !== "") await config.set(key, readValue(value));
  show(chat, sayConfig((await config.list()).filter((entry) => entry.key === key)));
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
  if (word === undefined) return show(chat, saySessions(list, conversationId));
  if (word === "new") return chat.go(undefined);
  const listed = /^\d{1,3}$/.test(word) ? list[Number(word) - 1] : undefined;
  const id = listed?.id ?? (await named(word, chat));
  if (id === conversationId) throw new Error("That conversation is already open");
  return chat.go(id);
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
