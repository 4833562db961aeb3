import { InvalidInput } from "../../kernel/index.ts";
import { sayInvalid } from "../../terminal/index.ts";
import { checkSelector } from "../../wire/selector.ts";
import { adaptiveLines, infoLines } from "./info-lines.ts";
import type { Talk } from "./talk.ts";

interface ConsoleCommand {
  readonly usage: string;
  readonly summary: string;
  run(talk: Talk, args: readonly string[]): Promise<void>;
}

const QUIT = "/quit";

const COMMANDS: Readonly<Record<string, ConsoleCommand>> = {
  "/help": {
    usage: "/help",
    summary: "list the commands",
    run: async ({ screen, session }) =>
      screen.say([...helpLines(), ...session.commands.map((one) => `${`/${one.name}`.padEnd(26)}${one.description}`)]),
  },
  "/info": {
    usage: "/info",
    summary: "show model, conversation, retries, waits",
    run: inform,
  },
  "/config": { usage: "/config [KEY [VALUE]]", summary: "show or set; VALUE default resets", run: configure },
  "/model": { usage: "/model [PROVIDER/MODEL]", summary: "show or change the model", run: changeModel },
  [QUIT]: { usage: QUIT, summary: "quit", run: async () => undefined },
};

/** The console's own: an extension can't take these names. */
export const COMMAND_NAMES: readonly string[] = Object.keys(COMMANDS).map((name) => name.slice(1));

/** A line as it is meant: two slashes stand for a question that begins with one. A command is one line, and pasted code is none. */
export function meaningOf(line: string): { readonly type: "command" | "question"; readonly text: string } {
  if (line.trim().includes("\n")) return { type: "question", text: line };
  if (line.startsWith("//")) return { type: "question", text: line.slice(1) };
  return { type: line.startsWith("/") ? "command" : "question", text: line };
}

/** How a command ended. `wrong`: unknown, or with invalid arguments; `left`: the user leaves the console. */
type CommandEnd = "done" | "left" | "wrong" | "failed";

/** Carries out what begins with a slash. */
export async function runCommand(talk: Talk, line: string): Promise<CommandEnd> {
  const [name = "", ...args] = line.trim().split(/\s+/);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  try {
    if (command === undefined) throw new InvalidInput("command", name, `one of ${Object.keys(COMMANDS).join(", ")}`);
    await command.run(talk, args);
  } catch (fault) {
    // Invalid input, or a store that fails: the prompt comes back.
    talk.screen.error(sayInvalid(fault));
    return fault instanceof InvalidInput ? "wrong" : "failed";
  }
  return name === QUIT ? "left" : "done";
}

function helpLines(): readonly string[] {
  return [
    ...Object.values(COMMANDS).map(({ usage, summary }) => `${usage.padEnd(26)}${summary}`),
    "//…                       a question that begins with /",
    "",
    "Enter                     send; during a wait: retry now",
    "Ctrl-C                    cancel; at the prompt: clear, or quit",
    "Ctrl-C twice              quit",
    "Pasted lines are one message, which Enter sends.",
  ];
}

async function inform(talk: Talk): Promise<void> {
  const { screen, session, assembly } = talk;
  await talk.readConfig();
  const { provider } = checkSelector("model", session.model);
  const learned = await assembly.store.experience.list();
  screen.say([
    ...infoLines(session, assembly.store),
    ...adaptiveLines(provider, learned, (name) => talk.retriesFor(name)),
  ]);
}

async function configure({ screen, assembly }: Talk, [key, ...rest]: readonly string[]): Promise<void> {
  const { config } = assembly.store;
  const value = rest.join(" ");
  if (key !== undefined && value === "default") await config.remove(key);
  else if (key !== undefined && value !== "") await config.set(key, parseValue(value));
  const entries = key === undefined ? await config.list() : [await config.entry(key)];
  screen.say(
    entries.map((entry) => {
      const mark = entry.isDefault ? " (default)" : "";
      const meaning = key === undefined ? "" : `\n  ${entry.description}; ${entry.allowed}`;
      return `${entry.key} = ${JSON.stringify(entry.value)}${mark}${meaning}`;
    }),
  );
}

/** JSON where it is some, else the words themselves. */
function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function changeModel({ screen, session }: Talk, [model]: readonly string[]): Promise<void> {
  if (model !== undefined) await session.setModel(model);
  screen.say([session.model]);
}
