import type { Command } from "commander";

const HELP = `
Keys:
  Enter               send; on a countdown: retry now
  Alt/Shift+Enter     a new line; so does \\ at the end of a line
  Esc                 cancel the retry while its countdown shows,
                      else stop the answer, else clear the input
  Up, Down            what was sent before
  PgUp, PgDn          through the conversation
  Ctrl-O              open and fold tool calls and thoughts
  Ctrl-C twice, or D  leave; everything is kept

Commands: /help /info /model /retry /keys /config /sessions
/export /quit. What is sent while the agent is at work is
heard after its current step.

The agent may list, read and search files below the folder
that it is started in; it changes nothing.

A failure that passes is retried: 2, 4 and 8 seconds after
each other, with a countdown. Another key or model is gone to
at once. Settings: /config retry.maxRetries, .baseDelayMs,
.maxDelayMs, .fallbackChains; docs/session.md tells of them.

Examples:
  secondwind chat
  secondwind chat --model anthropic/claude-sonnet-5-5
  secondwind chat --continue
  secondwind chat --model sim/overloaded-twice   no key needed

Environment:
  ANTHROPIC_API_KEY …  keys; see secondwind models
  SECONDWIND_HOME      where conversations are kept
  NO_COLOR             no colours

Exit codes:
  0    left
  1    could not start
  2    wrong usage, or no terminal: use secondwind ask or
       secondwind console there
  130  ended by a signal
`;

/** Adds `chat` to the program. What it needs, Ink above all, is loaded only when it runs. */
export function addChatCommand(program: Command, done: (code: number) => void): void {
  program
    .command("chat")
    .summary("talk to an agent in the terminal")
    .description("A conversation with an agent, in the whole terminal, carried through failures and kept.")
    .option(
      "-m, --model <provider/model>",
      "the model; left out: the conversation's, or the first of the default chain",
    )
    .option("-c, --continue", "goes on with the newest conversation")
    .option("-s, --session <id>", "goes on with this one; a beginning of its id that fits no other is enough")
    .addHelpText("after", HELP)
    .action(async (options: object) => {
      const { chat } = await import("./chat.ts");
      done(await chat(options));
    });
}
