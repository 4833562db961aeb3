import { InvalidInput } from "../../kernel/index.ts";
import type { Providers } from "../../providers/open-providers.ts";
import { checkSelector } from "../../wire/selector.ts";
import type { BatchLine } from "./input/batch-line.ts";
import type { Chosen } from "./run/run-lines.ts";

/** Which model a line asks: `--model` for all lines, else the line's own, else the default. */
export function chooseTarget(
  { providers, credentialsOf, defaultModel }: Pick<Providers, "providers" | "credentialsOf" | "defaultModel">,
  model: string | undefined,
): (line: BatchLine) => Chosen {
  // Throws at once, and not for each line.
  if (model !== undefined) checkSelector("--model", model, providers);
  return ({ request }) => {
    const isOwn = model === undefined && request.model !== undefined;
    try {
      const target = checkSelector("model", model ?? request.model ?? defaultModel, providers);
      const credentials = credentialsOf(target.provider);
      // Called without one, the provider's error names the missing key.
      return { target: { ...target, credentials: credentials.length === 0 ? [""] : credentials }, isOwn };
    } catch (fault) {
      if (fault instanceof InvalidInput) return { error: fault.message };
      throw fault;
    }
  };
}
