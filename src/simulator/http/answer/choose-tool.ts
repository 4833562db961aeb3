import type { ToolCall } from "./answer.ts";
import type { ModelRequest, OfferedTool } from "./model-request.ts";
import { sampleValue } from "./sample-value.ts";
import { seededId } from "./seeded.ts";

const ASKS_FOR_ANY = /\b(?:call|use)\s+(?:a|the|your)\s+tool\b/i;

/** The tool that the last message asks for, if any. */
export function chooseTool({ tools, toolChoice, toolResult, prompt }: ModelRequest): OfferedTool | undefined {
  if (toolChoice === "none") return undefined;
  if (typeof toolChoice === "object") return tools.find(({ name }) => name === toolChoice.name) ?? tools[0];
  const named = tools.find(({ name }) => prompt.includes(name));
  if (toolChoice === "any") return named ?? tools[0];
  // A client that sends results back would loop forever.
  if (toolResult !== undefined) return undefined;
  return named ?? (ASKS_FOR_ANY.test(prompt) ? tools[0] : undefined);
}

export function callTool(tool: OfferedTool, prompt: string, seed: number): ToolCall {
  const args = givenArguments(tool, prompt) ?? asObject(sampleValue(tool.schema));
  return {
    id: `call_${seededId(seed, tool.name)}`,
    name: tool.name,
    arguments: args,
    argumentsText: JSON.stringify(args),
  };
}

/** Arguments in the prompt, such as `get_weather {"city": "Oslo"}`. */
function givenArguments({ name }: OfferedTool, prompt: string): Readonly<Record<string, unknown>> | undefined {
  const after = prompt.slice(prompt.indexOf(name) + name.length);
  const written = /^\s*(\{[\s\S]*\})/.exec(after)?.[1];
  if (!prompt.includes(name) || written === undefined) return undefined;
  try {
    return asObject(JSON.parse(written));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
