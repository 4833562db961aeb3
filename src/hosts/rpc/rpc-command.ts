import type { Command } from "commander";

const HELP = `
One JSON object a line, on stdin and stdout:
  in   {"id":"1","type":"prompt","message":"Hello"}
  out  {"id":"1","type":"response","command":"prompt","success":true}
  out  {"type":"message_delta",…} … {"type":"agent_end",…}

Commands: prompt, steer, abort, abort_retry, retry_now,
get_state, get_messages, set_model, set_auto_retry.
docs/rpc.md has all of them, and every event.

Exit codes:
  0    stdin ended, or nobody read stdout any more, and every
       prompt was answered
  1    could not start, or stdout could not be written
  2    wrong usage
  130  ended by a signal
`;

/** Adds `rpc` to the program. What it needs is loaded only when it runs. */
export function addRpcCommand(program: Command, done: (code: number) => void): void {
  program
    .command("rpc")
    .summary("an agent session for other programs: JSON lines on stdin and stdout")
    .description("Serves one agent session to another program, as JSON lines on stdin and stdout.")
    .option(
      "-m, --model <provider/model>",
      "the model; left out: the conversation's, or the first of the default chain",
    )
    .option("-c, --continue", "goes on with the newest conversation")
    .option("-s, --session <id>", "goes on with this one; the beginning of its id is enough")
    .option("--conversation <id>", "the same, by its whole id; begins it if there is none")
    .addHelpText("after", HELP)
    .action(async (options: object) => {
      const { rpc } = await import("./rpc.ts");
      done(await rpc(options));
    });
}
