import { z } from "zod";
import type { Tool } from "../../turn/index.ts";
import { defineTool } from "./define-tool.ts";

/** A model call inside a tool call, with separate retries, parallel to those of other calls. */
export function askTool(): Tool {
  return defineTool({
    name: "ask",
    description:
      "Asks a model a separate question, without the conversation. Good for parts that can be done in parallel.",
    parameters: z.object({
      question: z.string().min(1),
      role: z.string().optional().describe("whose model answers: default or small"),
    }),
    run: async ({ question, role }, context) => context.ask({ prompt: question, ...(role !== undefined && { role }) }),
  });
}
