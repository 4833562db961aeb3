import type { Assembly } from "../../assembly/index.ts";
import { chooseConversation, type WantedConversation } from "../../session/record/choose-conversation.ts";
import { meaningOf, runCommand } from "./commands.ts";
import type { ConsoleInput } from "./console-input.ts";
import type { ConsoleScreen } from "./console-screen.ts";
import { runExtensionCommand } from "./extension-command.ts";
import { runExchange } from "./run-exchange.ts";
import { Talk } from "./talk.ts";

export interface ConsoleOptions extends WantedConversation {
  readonly model?: string;
  readonly extension?: readonly string[];
}

/** The parts that a console needs. Tests bring their own. */
export interface ConsoleParts {
  readonly assembly: Assembly;
  readonly screen: ConsoleScreen;
  readonly input: ConsoleInput;
}

const FAILED = 1;
const WRONG_USAGE = 2;
const CANCELLED = 130;

/** Questions and answers until the input ends or the user leaves. Returns the exit code. */
export async function runConsole(options: ConsoleOptions, parts: ConsoleParts): Promise<number> {
  const { assembly, screen, input } = parts;
  const { model } = options;
  screen.besidePrompt = (print) => (input.besidePrompt === undefined ? print() : input.besidePrompt(print));
  const conversationId = await chooseConversation(assembly.store.conversations, options);
  const talk = await Talk.open(assembly, screen, {
    ...(model !== undefined && { model }),
    ...(conversationId !== undefined && { conversationId }),
  });
  try {
    return await converse(talk, parts);
  } finally {
    await talk.session.close();
  }
}

async function converse(talk: Talk, { screen, input }: ConsoleParts): Promise<number> {
  if (input.isInteractive) screen.say([`${talk.session.model}. Type a question, or /help. Ctrl-C quits.`]);
  let code = 0;
  for (;;) {
    const said = await input.next();
    if (said.type === "dropped") {
      screen.warn([`Dropped ${said.lines === 1 ? "1 line" : `${said.lines} lines`} typed ahead.`]);
      continue;
    }
    if (said.type !== "line") return said.type === "interrupt" && !input.isInteractive ? CANCELLED : code;
    if (said.text.trim() === "") continue;
    const { type, text } = meaningOf(said.text);
    const end =
      type === "question"
        ? await runExchange(talk, text, input)
        : ((await runExtensionCommand(talk, text, input)) ?? (await runCommand(talk, text)));
    if (end === "left") return code;
    // A person has seen it, and the prompt is back; a program that fed the pipe has only the exit code.
    if (input.isInteractive) continue;
    if (end === "cancelled") return CANCELLED;
    if (end === "failed") code = FAILED;
    if (end === "wrong" && code === 0) code = WRONG_USAGE;
  }
}
