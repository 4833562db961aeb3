import type { Command } from "commander";

const HELP = `
One question a line. A request that fails is tried again after 1,
2, 3, 5, 5, 5 … seconds, until it is answered or you press Ctrl-C.
  Without end:   420, 429, 502, 503, 504, 529, connection failures,
                 timeouts (408, 499, 522, 524, 598, 599 as well)
  Three times:   empty and broken answers, 424, 425, every other 5xx
  Told at once:  500 and every other 4xx, such as 400, 401, 402, 403,
                 404, 422

Keys, in a terminal:
  Enter      during a wait: retry now
  Ctrl-C     during an answer: give up; at the prompt: leave.
             Twice leaves in any case
  Ctrl-D     leave

Commands:
  /help      the list of them
  /info      model, conversation, and how retries fared
  /config    shows and sets, e.g. /config api_retry_max_delay 10
  /model     shows or changes who answers
  /quit      leave
  //…        a question that begins with /

From a pipe each line is a question, or a command. Answers go to
stdout, warnings and errors to stderr.

Examples:
  secondwind console
  secondwind console -m anthropic/claude-sonnet-5-5
  secondwind console --continue
  secondwind console --session 1ay7t8z1
  printf 'Why is the sky blue?\\n' | secondwind console > answers.txt

Exit codes:
  0    left, or every line of the pipe was answered, or nobody
       read the answers any more
  1    could not start or write, or a line of the pipe was not
       answered, or only in part
  2    wrong usage, or a wrong command in the pipe
  130  ended by a signal, or a pipe was cancelled

Environment:
  ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY …
             keys; secondwind models tells which are missing
  NO_COLOR   set: no colours
  SECONDWIND_HOME
             where the store lies

Files:
  ~/.local/share/secondwind/secondwind.db   config, conversations
  ~/.config/secondwind/keys.json            secondwind keys
`;

/** Adds `console` to the program. What it needs is loaded only when it runs. */
export function addConsoleCommand(program: Command, done: (code: number) => void): void {
  program
    .command("console")
    .summary("talk to a model line by line: ssh, dumb terminals, pipes")
    .description("Talks to a model line by line, and goes on through failures until it is answered or you cancel.")
    .option("-m, --model <provider/model>", "who answers; left out: the conversation's, or the first that has a key")
    .option("-c, --continue", "goes on with the newest conversation")
    .option("-s, --session <id>", "goes on with this one; the beginning of its id is enough")
    .option("--conversation <id>", "the same, by its whole id; begins it if there is none")
    .addHelpText("after", HELP)
    .action(async (options: object) => {
      const { openConsole } = await import("./console.ts");
      done(await openConsole(options));
    });
}
