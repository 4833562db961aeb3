import { openProviders } from "../../providers/index.ts";
import { openTerminal } from "../../terminal/index.ts";
import { listProviders } from "./list-providers.ts";
import { renderProviders } from "./render-providers.ts";

/** `secondwind models`. Returns the exit code. */
export async function models({ json }: { readonly json?: boolean }): Promise<number> {
  const opened = await openProviders({ env: process.env });
  const listed = listProviders(opened);
  if (json === true) {
    process.stdout.write(`${JSON.stringify({ defaultModel: opened.defaultModel, providers: listed })}\n`);
    return 0;
  }
  const { write, colours } = openTerminal(process.stdout, process.env);
  write(`${renderProviders(listed, opened.defaultModel, colours).join("\n")}\n`);
  return 0;
}
