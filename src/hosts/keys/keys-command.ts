import type { Command } from "commander";

const HELP = `
The key is read from a hidden prompt, or from stdin; never
from the command line, where history and process lists
would keep it:
  secondwind keys add openai
  pass show openai | secondwind keys add openai

Keys are kept in $XDG_CONFIG_HOME/secondwind/keys.json
(~/.config by default), readable by you alone. Variables such
as OPENAI_API_KEY work without it and come first; several
keys in one are separated by commas.

A key belongs to one origin and is sent nowhere else. For a
server that is not the provider's own, say which:
  secondwind keys add openai --base-url http://127.0.0.1:8080/v1

A key or model that has reached its limit cools down, also
over a restart. A new key in its place is tried at the next
start. If you know better (a new plan, a paid bill):
  secondwind keys cooldowns           shows them
  secondwind keys cooldowns --clear   forgets them

Exit codes:
  0    done
  1    the file cannot be read or written
  2    wrong usage, or a key or id that makes no sense
  130  cancelled
`;

const EXIT_CODES = `
Exit codes:
  0    done
  1    the file cannot be read or written
  2    wrong usage, or a key or id that makes no sense
`;

const ADD_HELP = `
Examples:
  secondwind keys add openai
  pass show openai | secondwind keys add openai
  secondwind keys add openai --base-url http://127.0.0.1:8080/v1
${EXIT_CODES}  130  cancelled
`;

const LIST_HELP = `
Examples:
  secondwind keys list
  secondwind keys list --json | jq -r '.[].id'
${EXIT_CODES}`;

const REMOVE_HELP = `
Examples:
  secondwind keys remove openai#1
${EXIT_CODES}`;

const COOLDOWNS_HELP = `
Examples:
  secondwind keys cooldowns
  secondwind keys cooldowns --clear
${EXIT_CODES}`;

interface AddOptions {
  readonly baseUrl?: string;
}

interface CooldownOptions {
  readonly clear?: boolean;
}

/** Adds `keys` to the program. What it needs is loaded only when it runs. */
export function addKeysCommand(program: Command, done: (code: number) => void): void {
  const keys = program
    .command("keys")
    .summary("add, list and remove the keys of providers")
    .description("Keeps the keys of providers in a file that only you can read. They are shown masked.")
    .addHelpText("after", HELP);
  keys
    .command("add")
    .summary("store a key, read from a hidden prompt or from stdin")
    .description(
      "Stores a key of a provider. It is read from a hidden prompt, or from stdin; never from the command line, where history and process lists would keep it.",
    )
    .argument("<provider>", "anthropic, openai, google, or any other that secondwind models lists")
    .option("--base-url <url>", "the server that the key is for; it is sent nowhere else")
    .addHelpText("after", ADD_HELP)
    .action(async (provider: string, options: AddOptions) => {
      const { addCommand } = await import("./keys.ts");
      done(await addCommand(provider, options));
    });
  keys
    .command("list")
    .summary("the keys there are, masked")
    .description(
      "Lists the keys that are stored and those of the environment, masked, with the server that each one is for.",
    )
    .option("--json", "as JSON")
    .addHelpText("after", LIST_HELP)
    .action(async (options: { readonly json?: boolean }) => {
      const { listCommand } = await import("./keys.ts");
      done(await listCommand(options));
    });
  keys
    .command("remove")
    .summary("forget a stored key")
    .description("Forgets a stored key. One of the environment is not ours to remove.")
    .argument("<id>", "as list shows it, such as openai#1")
    .addHelpText("after", REMOVE_HELP)
    .action(async (id: string) => {
      const { removeCommand } = await import("./keys.ts");
      done(await removeCommand(id));
    });
  keys
    .command("cooldowns")
    .summary("the keys and models that are left out for now")
    .description("Shows the keys and models that have reached a limit and are left out until it has passed.")
    .option("--clear", "forget them: they are tried again")
    .addHelpText("after", COOLDOWNS_HELP)
    .action(async (options: CooldownOptions) => {
      const { cooldownsCommand } = await import("./cooldowns.ts");
      done(await cooldownsCommand(options));
    });
}
