import { z } from "zod";
import type { Tool, ToolContext } from "../../turn/index.ts";

interface ToolInput<T extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly parameters: T;
  readonly run: (args: z.infer<T>, context: ToolContext) => Promise<string>;
}

/** A tool whose arguments are checked before it runs: they come from a model. */
export function defineTool<T extends z.ZodObject>({ name, description, parameters, run }: ToolInput<T>): Tool {
  return {
    spec: { name, description, parameters: z.toJSONSchema(parameters, { io: "input" }) },
    run: async (args, context) => {
      const parsed = parameters.safeParse(args);
      if (!parsed.success) throw new Error(`Invalid arguments: ${z.prettifyError(parsed.error)}`);
      return run(parsed.data, context);
    },
  };
}
