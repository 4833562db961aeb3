import type { ChatController } from "../controller.ts";
import { COMMANDS } from "./command-list.ts";

/** The chat's own: an extension can't take these names. */
export const COMMAND_NAMES: readonly string[] = COMMANDS.map(([name]) => name);

/** Runs a slash command of an extension. False: it is none. Does not wait for it: one that hangs must not block the others. */
export function runExtensionCommand(chat: ChatController, text: string): boolean {
  const [, name = "", args = ""] = /^\/(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  if (!chat.session.commands.some((command) => command.name === name)) return false;
  chat.session.runCommand(name, args).then(
    (output) => {
      if (output !== "") chat.dispatch({ type: "page", text: output });
    },
    (fault) => chat.fail(fault),
  );
  return true;
}

/** For the help. */
export function sayExtensionCommands({ session: { commands } }: ChatController): string {
  if (commands.length === 0) return "";
  const lines = commands.map(({ name, description }) => `- \`/${name}\` ${description}`);
  return ["", "", "## Commands of extensions", "", ...lines].join("\n");
}
