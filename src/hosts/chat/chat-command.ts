import type { Command } from "commander";

const HELP = `
Keys:
  Enter               send; during a countdown: retry now
  Alt/Shift+Enter     new line; or end a line with \\
  Esc                 cancel the retry while its countdown shows,
                      else stop the answer, else clear the input
  Up, Down            browse earlier messages
  Tab                 complete commands, arguments and @file
  PgUp, PgDn, wheel   scroll the conversation
  Ctrl-O              expand or collapse tool calls, reasoning
                      and error messages
  Ctrl-Z              suspend; fg continues
  Ctrl-C twice, or D  quit; the conversation is saved

Commands: /help /info /model /retry /keys /config /sessions
/export /mouse /quit. The agent reads messages sent while it works
after its current step.

The agent can list, read and search files in the folder it is
started in. It can't change anything.

Temporary failures are retried after 2, 4 and 8 seconds, with
a countdown. Switching to another key or model does not wait.
Settings: /config retry.maxRetries, .baseDelayMs, .maxDelayMs,
.fallbackChains; see docs/session.md.

Extensions add tools and commands: --extension FILE, or
/config extensions; see docs/extensions.md.

Examples:
  secondwind chat
  secondwind chat --model anthropic/claude-sonnet-5-5
  secondwind chat --continue
  secondwind chat --model sim/overloaded-twice   no key needed

Environment:
  ANTHROPIC_API_KEY …  keys; see secondwind models
  SECONDWIND_HOME      folder for conversations and settings
  NO_COLOR             disables colors
  NO_MOTION            disables the spinner

Exit codes:
  0    normal exit
  1    failed to start
  2    invalid usage, or no terminal: use secondwind ask or
       secondwind console instead
  130  ended by a signal
`;

/** Adds `chat` to the program. Its code, Ink above all, is loaded only when it runs. */
export function addChatCommand(program: Command, done: (code: number) => void): void {
  program
    .command("chat")
    .summary("chat with an agent in a full-screen terminal")
    .description("Chats with an agent in a full-screen terminal. Retries failures and saves the conversation.")
    .option(
      "-m, --model <provider/model>",
      "model to use (default: the conversation's, or the first of the default chain)",
    )
    .option("-c, --continue", "resume the newest conversation")
    .option("-s, --session <id>", "resume this conversation; a unique prefix of its id is enough")
    .option(
      "-e, --extension <file>",
      "load an extension; repeatable",
      (file: string, files: readonly string[] = []) => [...files, file],
    )
    .option(
      "--no-mouse",
      "leave the mouse to the terminal: it selects text without Shift, and the wheel does not scroll",
    )
    .addHelpText("after", HELP)
    .action(async (options: object) => {
      const { chat } = await import("./chat.ts");
      done(await chat(options));
    });
}
