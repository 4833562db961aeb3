import { z } from "zod";
import { type RpcCommand, type RpcResponse, rpcCommandSchema } from "../../wire/index.ts";

/** Parses a line of input into a command, or into the response to an invalid line. */
export function parseCommand(line: string): RpcCommand | RpcResponse {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // Not the parser's message: it quotes the line, and the redactor can't recognize a part of a key.
    return refuse({ command: "parse" }, "Not valid JSON");
  }
  const parsed = rpcCommandSchema.safeParse(value);
  return parsed.success ? parsed.data : refuse(nameOf(value), z.prettifyError(parsed.error));
}

/** The response to a line that was skipped. */
export function refuseLongLine(mostChars: number): RpcResponse {
  return refuse({ command: "parse" }, `Line skipped: longer than ${mostChars} characters`);
}

function refuse(name: Pick<RpcResponse, "id" | "command">, error: string): RpcResponse {
  return { ...name, type: "response", success: false, error };
}

/** The id and type of an invalid command, as far as they are known. */
function nameOf(value: unknown): Pick<RpcResponse, "id" | "command"> {
  if (typeof value !== "object" || value === null) return { command: "unknown" };
  const { id, type } = value as { readonly id?: unknown; readonly type?: unknown };
  return {
    ...((typeof id === "string" || typeof id === "number") && { id }),
    command: typeof type === "string" ? type : "unknown",
  };
}
