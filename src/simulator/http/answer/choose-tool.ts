import { recordOf } from "../dialects/read-json.ts";
import type { ToolCall } from "./answer.ts";
import type { ModelRequest, OfferedTool } from "./model-request.ts";
import { sampleValue } from "./sample-value.ts";
import { seededId } from "./seeded.ts";

const ASKS_FOR_ANY = /\b(?:call|use)\s+(?:a|the|your)\s+tool\b/i;

/** The tool that the last message asks for, if any. */
export function chooseTool({ tools, toolChoice, toolResult, prompt }: ModelRequest): OfferedTool | undefined {
  if (toolChoice === "none") return undefined;
  if (typeof toolChoice === "object") return tools.find(({ name }) => name === toolChoice.name) ?? tools[0];
  if (toolChoice === "any") return tools.find(({ name }) => prompt.includes(name)) ?? tools[0];
  // A client that sends results back would loop forever.
  if (toolResult !== undefined) return undefined;
  return tools.find(({ name }) => asksFor(name, prompt)) ?? (ASKS_FOR_ANY.test(prompt) ? tools[0] : undefined);
}

/**
 * A name such as `get_weather` is enough. One that is also a word, such as `list`, must be called or have arguments: "a list of
 * tasks" asks for no tool.
 */
function asksFor(name: string, prompt: string): boolean {
  const word = wordOf(name);
  if (!/^[a-z]+$/i.test(name)) return new RegExp(word).test(prompt);
  return new RegExp(`\\b(?:call|use|run)\\s+(?:the\\s+)?(?:tool\\s+)?${word}|${word}\\s*\\{|${word}\\s+tool\\b`).test(
    prompt,
  );
}

export function callTool(tool: OfferedTool, prompt: string, seed: number): ToolCall {
  const args = givenArguments(tool, prompt) ?? recordOf(sampleValue(tool.schema));
  return {
    id: `call_${seededId(seed, tool.name)}`,
    name: tool.name,
    arguments: args,
    argumentsText: JSON.stringify(args),
  };
}

/** Arguments in the prompt, such as `get_weather {"city": "Oslo"}`. */
function givenArguments({ name }: OfferedTool, prompt: string): Readonly<Record<string, unknown>> | undefined {
  const written = new RegExp(`${wordOf(name)}\\s*(\\{[\\s\\S]*\\})`).exec(prompt)?.[1];
  if (written === undefined) return undefined;
  try {
    return recordOf(JSON.parse(written));
  } catch {
    return undefined;
  }
}

/** A pattern for the name as a word, with or without backticks. */
function wordOf(name: string): string {
  return `(?<![\\w-])\`?${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}\`?(?![\\w-])`;
}
