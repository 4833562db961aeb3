import { z } from "zod";
import { classifyError } from "../../../explain/classify-error.ts";
import { EXPLANATIONS } from "../../../explain/explain-kind.ts";
import { parsePaste } from "../../../explain/parse-paste.ts";
import { willWaitingHelp } from "../../../explain/will-waiting-help.ts";
import type { Ports } from "../../../kernel/index.ts";
import { createTools } from "../../../session/index.ts";
import { defineTool } from "../../../session/tools/define-tool.ts";
import type { Tool } from "../../../turn/index.ts";

const MOST_ERROR_CHARS = 100_000;

export const CHAT_SYSTEM =
  "You are a helpful assistant in the web chat of Secondwind, software that gets LLM calls through rate limits, outages and " +
  "broken streams. Answer in Markdown, briefly and precisely. Use a tool only when the question needs it.";

/** What the model may do in the server's chat: nothing that changes anything. `files`: it may also read this folder. */
export function chatTools({ wallNow }: Pick<Ports, "wallNow">, files?: string): readonly Tool[] {
  return [currentTime(wallNow), explainError(wallNow), ...(files === undefined ? [] : createTools(files))];
}

function currentTime(wallNow: () => number): Tool {
  return defineTool({
    name: "current_time",
    description: "The current date and time, as ISO 8601 in UTC.",
    parameters: z.object({}),
    run: async () => new Date(wallNow()).toISOString(),
  });
}

function explainError(wallNow: () => number): Tool {
  return defineTool({
    name: "explain_error",
    description: "Explains an error of an LLM provider: what happened, who has to act, and whether waiting helps.",
    parameters: z.object({
      error: z
        .string()
        .min(1)
        .max(MOST_ERROR_CHARS)
        .describe("the message, the body, or status line, headers and body"),
      provider: z.string().optional().describe("such as openai or anthropic, if known"),
    }),
    run: async ({ error, provider }) => {
      const failure = classifyError({ ...parsePaste(error), ...(provider !== undefined && { provider }) }, wallNow());
      const { whatHappened, whoActs } = EXPLANATIONS[failure.kind];
      return [
        `Kind: ${failure.kind}`,
        `What happened: ${whatHappened}`,
        `Who has to act: ${whoActs}`,
        `Will waiting help: ${willWaitingHelp(failure)}`,
        `Decided by the rule: ${failure.evidence}`,
      ].join("\n");
    },
  });
}
