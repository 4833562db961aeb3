import type { Command } from "commander";

const HELP = `
One question per line. A request that fails is retried after 1,
2, 3, 5, 5, 5 … seconds, until it succeeds or you press Ctrl-C.
  Unlimited:     420, 429, 502, 503, 504, 529, connection failures,
                 timeouts (408, 499, 522, 524, 598, 599 as well)
  Three times:   empty and broken answers, 424, 425, every other 5xx
  Never:         500 and every other 4xx, such as 400, 401, 402, 403,
                 404, 422

Keys, in a terminal:
  Enter      sends the line, or all pasted lines as one message;
             during a wait: retry now
  Backspace  at the start of a pasted line: back to the one above
  Ctrl-C     during an answer: cancel, and drop lines typed ahead;
             at the prompt: clear the input, or quit if it is empty.
             Twice within a second: always quit
  Ctrl-Z     suspend
  Ctrl-D     quit

Commands:
  /help      list the commands
  /info      show model, conversation and retries
  /config    show or set, e.g. /config api_retry_max_delay 10
  /model     show or change the model
  /quit      quit
  //…        a question that begins with /

Extensions add tools and commands: --extension FILE, or
/config extensions; see docs/extensions.md.

From a pipe, each line is a question or a command. Answers go to
stdout, warnings and errors to stderr.

Examples:
  secondwind console
  secondwind console -m anthropic/claude-sonnet-5-5
  secondwind console --continue
  secondwind console --session 1ay7t8z1
  printf 'Why is the sky blue?\\n' | secondwind console > answers.txt

Exit codes:
  0    you quit, every piped line was answered, or the reader
       closed stdout
  1    could not start or write, or a piped line got no answer
       or an incomplete one
  2    invalid usage, or an invalid piped command
  130  ended by a signal, or cancelled while reading a pipe

Environment:
  ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY …
             API keys; secondwind models lists the missing ones
  NO_COLOR   disables colors
  SECONDWIND_HOME
             folder of the store

Files:
  ~/.local/share/secondwind/secondwind.db   config, conversations
  ~/.config/secondwind/keys.json            secondwind keys
`;

/** Adds `console` to the program. Loads the command only when it runs. */
export function addConsoleCommand(program: Command, done: (code: number) => void): void {
  program
    .command("console")
    .summary("chat line by line, for ssh, dumb terminals and pipes")
    .description("Chats with a model line by line. Retries each question until it is answered or you cancel.")
    .option("-m, --model <provider/model>", "the model (default: the conversation's, or the first one with a key)")
    .option("-c, --continue", "resume the newest conversation")
    .option("-s, --session <id>", "resume this conversation; a unique prefix of its id is enough")
    .option("--conversation <id>", "resume the conversation with this id, or start it")
    .option(
      "-e, --extension <file>",
      "load an extension; repeatable",
      (file: string, files: readonly string[] = []) => [...files, file],
    )
    .addHelpText("after", HELP)
    .action(async (options: object) => {
      const { openConsole } = await import("./console.ts");
      done(await openConsole(options));
    });
}
