import type { Command } from "commander";

const HELP = `
A model is named provider/model. Any model of a provider can be
asked for, not only those that are listed. The simulated ones
need no key: sim/ok answers, sim/overloaded-twice fails twice
first, sim/stall-5 goes quiet after five tokens.

Keys come from the environment (OPENAI_API_KEY, …; several
separated by commas) or from secondwind keys add. Base URLs:
OPENAI_BASE_URL and its like. A server of your own that speaks
OpenAI's chat format, as provider my-box:
  SECONDWIND_MY_BOX_BASE_URL=http://127.0.0.1:11434/v1
  SECONDWIND_MY_BOX_API_KEY=…      if it needs one
  SECONDWIND_MY_BOX_MODELS=llama3  to be listed here

Exit codes:
  0  listed
  2  wrong usage, or a setting that makes no sense
`;

/** Adds `models` to the program. What it needs is loaded only when it runs. */
export function addModelsCommand(program: Command, done: (code: number) => void): void {
  program
    .command("models")
    .summary("which models can be used, and which keys are missing")
    .description("Lists the providers with the models that are known of them, and says where a key is missing.")
    .option("--json", "as JSON, one object a provider")
    .addHelpText("after", HELP)
    .action(async (options: { readonly json?: boolean }) => {
      const { models } = await import("./models.ts");
      done(await models(options));
    });
}
