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
    .argument("<provider>", "anthropic, openai, google, or any other that secondwind models lists")
    .option("--base-url <url>", "the server that the key is for")
    .action(async (provider: string, options: AddOptions) => {
      const { addCommand } = await import("./keys.ts");
      done(await addCommand(provider, options));
    });
  keys
    .command("list")
    .summary("the keys there are, masked")
    .option("--json", "as JSON")
    .action(async (options: { readonly json?: boolean }) => {
      const { listCommand } = await import("./keys.ts");
      done(await listCommand(options));
    });
  keys
    .command("remove")
    .summary("forget a stored key")
    .argument("<id>", "as list shows it, such as openai#1")
    .action(async (id: string) => {
      const { removeCommand } = await import("./keys.ts");
      done(await removeCommand(id));
    });
  keys
    .command("cooldowns")
    .summary("the keys and models that are left out for now")
    .option("--clear", "forget them: they are tried again")
    .action(async (options: CooldownOptions) => {
      const { cooldownsCommand } = await import("./cooldowns.ts");
      done(await cooldownsCommand(options));
    });
}
