import { InvalidInput } from "../../kernel/index.ts";
import type { Tool } from "../../turn/index.ts";
import type { ExtensionCommand, ExtensionTool } from "./extension.ts";

const TOOL_NAME = /^[\w-]{1,64}$/;
const COMMAND_NAME = /^[a-z][a-z0-9-]{0,30}$/;
const NO_ARGUMENTS = { type: "object", properties: {} };

/** A tool as the session uses it. Throws `InvalidInput`. */
export function checkTool(tool: ExtensionTool): Tool {
  checkIsObject("tool", tool);
  const { name, description, parameters = NO_ARGUMENTS } = tool;
  checkName("tool.name", name, TOOL_NAME, "1 to 64 letters, digits, _ and -");
  checkText("tool.description", description);
  checkRun("tool.run", tool.run);
  return {
    spec: { name, description, parameters: copySchema(parameters) },
    run: async (args, context) => {
      const result: unknown = await tool.run(args, context);
      if (typeof result !== "string") throw new InvalidInput(`the result of ${name}`, result, "a text");
      return result;
    },
  };
}

/** Throws `InvalidInput`. */
export function checkCommand(command: ExtensionCommand): ExtensionCommand {
  checkIsObject("command", command);
  const { name, description } = command;
  checkName("command.name", name, COMMAND_NAME, "1 to 31 lower case letters, digits and hyphens, a letter first");
  checkText("command.description", description);
  checkRun("command.run", command.run);
  return { name, description, run: (args, context) => command.run(args, context) };
}

export function checkRun(field: string, value: unknown): void {
  if (typeof value !== "function") throw new InvalidInput(field, value, "a function");
}

function checkIsObject(field: string, value: unknown): void {
  if (typeof value !== "object" || value === null) throw new InvalidInput(field, value, "an object");
}

function checkName(field: string, value: unknown, pattern: RegExp, allowed: string): void {
  if (typeof value !== "string" || !pattern.test(value)) throw new InvalidInput(field, value, allowed);
}

function checkText(field: string, value: unknown): void {
  if (typeof value !== "string" || value === "") throw new InvalidInput(field, value, "a text that is not empty");
}

/** Plain data of our own: it is sent with every request. */
function copySchema(schema: unknown): Readonly<Record<string, unknown>> {
  const refuse = (): never => {
    throw new InvalidInput("tool.parameters", schema, 'a JSON Schema with type "object"');
  };
  if (typeof schema !== "object" || schema === null || !("type" in schema) || schema.type !== "object") return refuse();
  try {
    return JSON.parse(JSON.stringify(schema));
  } catch {
    return refuse();
  }
}
