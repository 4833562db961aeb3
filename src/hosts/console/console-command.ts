import type { Command } from "commander";

const HELP = `
One question a line. A request that fails is tried again after 1,
2, 3, 5, 5, 5 … seconds, without end, until it is answered or you
press Ctrl-C: 429, 502, 503, 504, connection failures, timeouts.
400, 401, 403, 404, 422 and 500 are told at once.

Keys, in a terminal:
  Enter      during a wait: retry now
  Ctrl-C     during an answer: give up; at the prompt: leave
  Ctrl-D     leave

Commands:
  /help      the list of them
  /info      model, conversation, and how retries fared
  /config    shows and sets, e.g. /config api_retry_max_delay 10
  /model     shows or changes who answers
  /quit      leave

From a pipe each line is a question. Answers go to stdout,
warnings and errors to stderr.

Examples:
  secondwind console
  secondwind console -m anthropic/claude-sonnet-5-5
  secondwind console -c 0197f0c2-…
  printf 'Why is the sky blue?\\n' | secondwind console > answers.txt

Exit codes:
  0    left, or every line of the pipe was answered, or nobody
       read the answers any more
  1    could not start, or a line of the pipe was not answered
  2    wrong usage
  130  a pipe was cancelled

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
    .option("-c, --conversation <id>", "goes on with this conversation; /info tells its id")
    .addHelpText("after", HELP)
    .action(async (options: object) => {
      const { openConsole } = await import("./console.ts");
      done(await openConsole(options));
    });
}
