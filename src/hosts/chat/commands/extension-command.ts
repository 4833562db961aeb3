import type { AgentSession } from "../../../session/index.ts";
import type { ChatController } from "../controller.ts";

/** Adds the commands of a session's extensions to the menu and the help. Returns a function that removes them. */
export function listExtensionCommands(chat: ChatController, session: AgentSession): () => void {
  const remove = session.commands.map(({ name, description }) =>
    chat.commands.add({
      ...{ name, parameters: "", description },
      run: (_, words) => void runExtensionCommand(chat, `/${name} ${words.join(" ")}`),
    }),
  );
  return () => {
    for (const each of remove) each();
  };
}

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
