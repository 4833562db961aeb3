import { classify } from "../kernel/index.ts";
import type { ToolCallPart, ToolMessage } from "../wire/message.ts";
import type { Tool, ToolContext } from "./tool.ts";
import { untilAborted } from "./until-aborted.ts";

export interface ToolCallsInput {
  readonly calls: readonly ToolCallPart[];
  /** The answer was cut where its length ended, so its calls are not made. */
  readonly isCut: boolean;
  readonly tools: readonly Tool[];
  readonly signal: AbortSignal;
  readonly ask: (call: ToolCallPart) => ToolContext["ask"];
  /** Called as each call ends, in whatever order they end. */
  readonly onResult: (message: ToolMessage) => void;
}

/**
 * Makes all calls side by side. There is one result for each, in the order of the calls: a tool that throws, is unknown, was
 * aborted or not run gives one too, because providers refuse a history in which a call has no result.
 */
export async function runToolCalls(input: ToolCallsInput): Promise<readonly ToolMessage[]> {
  return Promise.all(
    input.calls.map(async (call) => {
      const message = await makeCall(call, input);
      input.onResult(message);
      return message;
    }),
  );
}

async function makeCall(call: ToolCallPart, { isCut, tools, signal, ask }: ToolCallsInput): Promise<ToolMessage> {
  const result = (content: string, isError: boolean): ToolMessage => {
    return { role: "tool", toolCallId: call.id, toolName: call.name, content, isError };
  };
  if (isCut) return result("Not run: the answer was cut at its length limit. Ask for less at a time.", true);
  const tool = tools.find(({ spec }) => spec.name === call.name);
  if (tool === undefined) return result(`Unknown tool: ${call.name}`, true);
  try {
    signal.throwIfAborted();
    // A copy: the call itself is history, and a tool may do with its arguments what it likes.
    const args = structuredClone(call.arguments);
    const context: ToolContext = { toolCallId: call.id, signal, ask: ask(call) };
    return result(String(await untilAborted(tool.run(args, context), signal)), false);
  } catch (fault) {
    return result(signal.aborted ? "Aborted" : sayFault(fault), true);
  }
}

function sayFault(fault: unknown): string {
  return fault instanceof Error && fault.message !== "" ? fault.message : classify(fault).message;
}
