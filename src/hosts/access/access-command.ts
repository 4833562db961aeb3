import type { Command } from "commander";

const EXIT_CODES = `
Exit codes:
  0    done
  1    the file cannot be read or written
  2    invalid usage, or an invalid name
`;

const HELP = `
An access key lets a client use secondwind serve. The server
needs one to listen on another address than 127.0.0.1. Once there
is a key, every request needs one:
  secondwind access add laptop
  secondwind serve --host 0.0.0.0
  curl -H 'authorization: Bearer KEY' http://HOST:4747/api/session

A key is shown once. What recognizes it is stored in
$XDG_CONFIG_HOME/secondwind/access.json (default: ~/.config),
readable only by you. A running server notices a change within
a second.
${EXIT_CODES}`;

const examples = (...lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((line) => `  secondwind access ${line}\n`).join("")}${EXIT_CODES}`;

/** Adds `access` to the program. Its code is loaded only when it runs. */
export function addAccessCommand(program: Command, done: (code: number) => void): void {
  const access = program
    .command("access")
    .summary("manage the access keys of the server")
    .description("Manages the keys that clients of secondwind serve need.")
    .addHelpText("after", HELP);
  access
    .command("add")
    .summary("create a key and print it once")
    .description("Creates an access key and prints it. It cannot be shown again.")
    .argument("<name>", "whose key it is; shown in activity and logs")
    .addHelpText("after", examples("add laptop", "add ci | wl-copy"))
    .action(async (name: string) => {
      const { addCommand } = await import("./access.ts");
      done(await addCommand(name));
    });
  access
    .command("list")
    .summary("list the names of the keys")
    .description("Lists the names of the access keys and when they were created.")
    .option("--json", "as JSON")
    .addHelpText("after", examples("list", "list --json"))
    .action(async (options: { readonly json?: boolean }) => {
      const { listCommand } = await import("./access.ts");
      done(await listCommand(options));
    });
  access
    .command("remove")
    .summary("delete a key")
    .description("Deletes an access key. A running server refuses it within a second.")
    .argument("<name>", "as shown by list")
    .addHelpText("after", examples("remove laptop"))
    .action(async (name: string) => {
      const { removeCommand } = await import("./access.ts");
      done(await removeCommand(name));
    });
}
