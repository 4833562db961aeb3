import type { Command } from "commander";

const EXIT_CODES = `
Exit codes:
  0    done
  1    the file cannot be read or written
  2    invalid usage, or an invalid key or id
`;

const HELP = `
A key is read from a hidden prompt or from stdin, never from
the command line, where history and process lists would show it:
  secondwind keys add openai
  pass show openai | secondwind keys add openai

Keys are stored in $XDG_CONFIG_HOME/secondwind/keys.json
(default: ~/.config), readable only by you. Variables such as
OPENAI_API_KEY work without it and take precedence; separate
several keys in one variable with commas.

A key is sent to one origin only. For a server that is not the
provider's own, name it:
  secondwind keys add openai --base-url http://127.0.0.1:8080/v1

A key or model that hits its limit cools down, and the cooldown
survives restarts. A replacement key is not affected. After a
plan change or a paid bill:
  secondwind keys cooldowns           shows the cooldowns
  secondwind keys cooldowns --clear   deletes them
${EXIT_CODES}  130  cancelled
`;

const examples = (...lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((line) => `  secondwind keys ${line}\n`).join("")}${EXIT_CODES}`;

/** Adds `keys` to the program. Its code is loaded only when it runs. */
export function addKeysCommand(program: Command, done: (code: number) => void): void {
  const keys = program
    .command("keys")
    .summary("manage API keys")
    .description("Manages the API keys of providers, in a file that only you can read. Keys are shown masked.")
    .addHelpText("after", HELP);
  keys
    .command("add")
    .summary("store a key, read from a hidden prompt or from stdin")
    .description("Stores a provider's key, read from a hidden prompt or from stdin.")
    .argument("<provider>", "anthropic, openai, google, or another one that secondwind models lists")
    .option("--base-url <url>", "the server that the key is for; it is sent only there")
    .addHelpText(
      "after",
      `${examples("add openai", "add openai --base-url http://127.0.0.1:8080/v1")}  130  cancelled\n`,
    )
    .action(async (provider: string, options: { readonly baseUrl?: string }) => {
      const { addCommand } = await import("./keys.ts");
      done(await addCommand(provider, options));
    });
  keys
    .command("list")
    .summary("list the keys, masked")
    .description("Lists the keys in the file and in the environment, masked, with the server that each is for.")
    .option("--json", "as JSON")
    .addHelpText("after", examples("list", "list --json | jq -r '.[].id'"))
    .action(async (options: { readonly json?: boolean }) => {
      const { listCommand } = await import("./keys.ts");
      done(await listCommand(options));
    });
  keys
    .command("remove")
    .summary("delete a stored key")
    .description("Deletes a stored key. To remove a key from the environment, unset its variable.")
    .argument("<id>", "as shown by list, such as openai#1")
    .addHelpText("after", examples("remove openai#1"))
    .action(async (id: string) => {
      const { removeCommand } = await import("./keys.ts");
      done(await removeCommand(id));
    });
  keys
    .command("cooldowns")
    .summary("show keys and models that are cooling down")
    .description("Shows the keys and models that hit a limit and are skipped until it resets.")
    .option("--clear", "delete all cooldowns, so the keys and models can be used again at once")
    .addHelpText("after", examples("cooldowns", "cooldowns --clear"))
    .action(async (options: { readonly clear?: boolean }) => {
      const { cooldownsCommand } = await import("./cooldowns.ts");
      done(await cooldownsCommand(options));
    });
}
