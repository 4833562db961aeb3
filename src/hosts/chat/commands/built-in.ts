import { InvalidInput } from "../../../kernel/index.ts";
import { findConversation, shortId } from "../../../session/record/choose-conversation.ts";
import { readEntries } from "../../../session/record/context.ts";
import { sayInvalid, shownWord } from "../../../terminal/index.ts";
import type { ChatController } from "../controller.ts";
import { itemsOfHistory } from "../state/items-of-history.ts";
import type { Choice, Command } from "./command.ts";
import { exportMarkdown } from "./export-markdown.ts";
import { helpPage } from "./help-page.ts";
import { sayInfo } from "./say-info.ts";
import { sayConfig, sayKeys, sayModels, saySessions } from "./say-pages.ts";

const MOST_SESSIONS = 20;
const MOST_EXPORTS = 99;

/** The commands that every chat has, in the order of the help. */
export const BUILT_IN: readonly Command[] = [
  {
    ...{ name: "help", parameters: "", description: "show this page" },
    run: (chat) => show(chat, helpPage(chat.commands.all)),
  },
  {
    ...{ name: "info", parameters: "", description: "show the conversation, tokens and retry statistics" },
    run: async (chat) => show(chat, sayInfo(chat.state, await chat.parts.listLearned())),
  },
  {
    ...{ name: "model", parameters: "[provider/model]", description: "list the models, or switch to one" },
    run: (chat, [selector]) =>
      selector === undefined
        ? show(chat, sayModels(chat.parts.models, chat.session.model))
        : chat.session.setModel(selector),
    complete: (chat, words) => (words.length > 0 ? [] : chat.parts.models.map((text) => ({ text }))),
  },
  {
    ...{ name: "retry", parameters: "[now|on|off]" },
    description: "send the last message again; end a wait; turn automatic retries on or off",
    run: (chat, words) => retry(chat, words.length === 0 ? undefined : words.join(" ")),
    complete: (_, words) =>
      words.length > 0
        ? []
        : [
            { text: "now", hint: "end the wait" },
            { text: "on", hint: "retry automatically" },
            { text: "off", hint: "don't retry automatically" },
          ],
  },
  {
    ...{ name: "keys", parameters: "", description: "list the API keys, masked" },
    run: async (chat) => show(chat, sayKeys(await chat.parts.listKeys())),
  },
  {
    ...{ name: "config", parameters: "[key] [value]" },
    description: "show the settings or one of them, or set it (- resets to the default)",
    run: configure,
    complete: completeConfig,
  },
  {
    ...{ name: "sessions", parameters: "[number|id|new]", description: "list conversations, or open one" },
    run: (chat, [word]) => sessions(chat, word),
    complete: (chat, words) => (words.length > 0 ? [] : completeSessions(chat)),
  },
  {
    ...{ name: "export", parameters: "[file]", description: "write the conversation to a Markdown file" },
    run: (chat, words) => exportTo(chat, words.join(" ")),
  },
  {
    ...{ name: "mouse", parameters: "[on|off]", description: "let the wheel scroll, or let the terminal select text" },
    run: (chat, words) => mouse(chat, words.join(" ")),
    complete: (_, words) => (words.length > 0 ? [] : [{ text: "on" }, { text: "off" }]),
  },
  {
    ...{ name: "quit", parameters: "", description: "quit; the conversation is saved" },
    run: (chat) => chat.leave(),
  },
];

/** Runs a slash command, for example `/config retry.maxRetries 5`. Rejects with a message for the user. */
export async function runCommand(chat: ChatController, text: string): Promise<void> {
  const [first = "", ...words] = text.slice(1).trim().split(/\s+/);
  const command = chat.commands.find(first);
  if (command !== undefined) return runSafely(() => command.run(chat, words));
  const known = chat.commands.all.map(({ name }) => `/${name}`).join(" ");
  throw new Error(`Unknown command: ${shownWord(`/${first}`)}. Commands: ${known}`);
}

/** A key may be typed in the wrong place: no message repeats it. */
async function runSafely(run: () => void | Promise<void>): Promise<void> {
  try {
    await run();
  } catch (fault) {
    throw fault instanceof InvalidInput ? new Error(sayInvalid(fault)) : fault;
  }
}

function show(chat: ChatController, text: string): void {
  chat.dispatch({ type: "page", text });
}

function mouse(chat: ChatController, word: string): void {
  if (word !== "" && word !== "on" && word !== "off") throw new Error("Usage: /mouse [on|off]");
  const isOn = word === "" ? chat.state.mouse === "off" : word === "on";
  chat.setMouse(isOn ? "ours" : "off");
  const text = isOn
    ? "The wheel scrolls. Hold Shift (Option in iTerm2) to select text."
    : "The terminal has the mouse: drag to select text. PgUp and PgDn scroll.";
  chat.dispatch({ type: "notice", tone: "info", text });
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
  await config.entry(key);
  const value = values.join(" ");
  if (value === "-") await config.remove(key);
  else if (value !== "") await config.set(key, readValue(value));
  if (value !== "" && key.startsWith("retry.")) await chat.session.reloadSettings();
  show(chat, sayConfig([await config.entry(key)]));
}

async function completeConfig({ parts }: ChatController, words: readonly string[]): Promise<readonly Choice[]> {
  const entries = await parts.config.list();
  if (words.length === 0) return entries.map(({ key, value }) => ({ text: key, hint: `= ${JSON.stringify(value)}` }));
  const entry = words.length === 1 ? entries.find(({ key }) => key === words[0]) : undefined;
  if (entry === undefined) return [];
  const reset = { text: "-", hint: "reset to the default" };
  const flags = [{ text: "true" }, { text: "false" }];
  return [
    ...(typeof entry.value === "boolean" ? flags : []),
    { text: JSON.stringify(entry.value), hint: "now" },
    reset,
  ].filter(({ text }, at, all) => all.findIndex((other) => other.text === text) === at);
}

async function completeSessions({ parts, state }: ChatController): Promise<readonly Choice[]> {
  const list = await parts.conversations.list({ limit: MOST_SESSIONS });
  const others = list.filter(({ id }) => id !== state.conversationId);
  return [
    { text: "new", hint: "start a new conversation" },
    ...others.map(({ id, title }) => ({ text: shortId(id), hint: title })),
  ];
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
  throw new Error(`${shownWord(word)} must be ${search.wanted}; /sessions lists them`);
}

async function exportTo(chat: ChatController, given: string): Promise<void> {
  const { conversationId } = chat.state;
  const { conversations } = chat.parts;
  const kept = await conversations.get(conversationId);
  // From the store, which also has the answers that failed; from the screen if it could not be saved.
  const entries = kept === undefined ? [] : readEntries(await conversations.read(conversationId));
  const items = kept === undefined ? chat.state.items : itemsOfHistory(entries);
  const text = exportMarkdown(kept?.title ?? "Conversation", items);
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
