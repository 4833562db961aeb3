import type { Command } from "commander";

const HELP = `
One JSON object per line, on stdin and stdout:
  in   {"id":"1","type":"prompt","message":"Hello"}
  out  {"id":"1","type":"response","command":"prompt","success":true}
  out  {"type":"message_delta",…} … {"type":"agent_end",…}

Commands: prompt, steer, abort, abort_retry, retry_now,
get_state, get_messages, set_model, set_auto_retry,
get_commands, run_command.
docs/rpc.md describes all commands and events,
docs/extensions.md extensions.

Exit codes:
  0    stdin ended or stdout was closed, and every accepted
       prompt was answered
  1    failed to start, or to write to stdout
  2    invalid usage
  130  ended by a signal
`;

/** Adds `rpc` to the program. Its code is loaded only when it runs. */
export function addRpcCommand(program: Command, done: (code: number) => void): void {
  program
    .command("rpc")
    .summary("serve an agent session to another program as JSON lines")
    .description("Serves one agent session to another program, as JSON lines on stdin and stdout.")
    .option(
      "-m, --model <provider/model>",
      "model to use (default: the conversation's, or the first of the default chain)",
    )
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
      const { rpc } = await import("./rpc.ts");
      done(await rpc(options));
    });
}
