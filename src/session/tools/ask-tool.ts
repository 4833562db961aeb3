import { z } from "zod";
import type { Tool } from "../../turn/index.ts";
import { defineTool } from "./define-tool.ts";

/** A model call inside a tool call: it has retries of its own, beside those of other calls. */
export function askTool(): Tool {
  return defineTool({
    name: "ask",
    description:
      "Asks a model a question of its own, without the conversation. Good for parts that can be done side by side.",
    parameters: z.object({
      question: z.string().min(1),
      role: z.string().optional().describe("whose model answers: default or small"),
    }),
    run: async ({ question, role }, context) => context.ask({ prompt: question, ...(role !== undefined && { role }) }),
  });
}
