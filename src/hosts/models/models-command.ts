import type { Command } from "commander";

const HELP = `
A model is named provider/model. You can use any model of a
provider, not only the listed ones. Simulated models need no
key: sim/sonnet answers, sim/overloaded-twice fails twice first,
sim/stall-5 stalls after five tokens.

Keys come from the environment (OPENAI_API_KEY, …; several
separated by commas) or from secondwind keys add. Base URLs come
from OPENAI_BASE_URL and the like. To add your own server with
OpenAI's chat format, as provider my-box:
  SECONDWIND_MY_BOX_BASE_URL=http://127.0.0.1:11434/v1
  SECONDWIND_MY_BOX_API_KEY=…      if it needs one
  SECONDWIND_MY_BOX_MODELS=llama3  models to list here

Exit codes:
  0  listed
  2  invalid usage, or an invalid setting
`;

/** Adds `models` to the program. Its code is loaded only when it runs. */
export function addModelsCommand(program: Command, done: (code: number) => void): void {
  program
    .command("models")
    .summary("list providers and models, and missing keys")
    .description("Lists the providers with their known models, and shows which ones have no API key.")
    .option("--json", "as JSON, one object per provider")
    .addHelpText("after", HELP)
    .action(async (options: { readonly json?: boolean }) => {
      const { models } = await import("./models.ts");
      done(await models(options));
    });
}
