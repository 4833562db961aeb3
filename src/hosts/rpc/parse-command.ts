import { z } from "zod";
import { type Redact, type RpcCommand, type RpcResponse, rpcCommandSchema } from "../../wire/index.ts";
import { problemOfId } from "./check-id.ts";

/** Parses a line of input into a command, or into the response to an invalid line. */
export function parseCommand(line: string, redact: Redact): RpcCommand | RpcResponse {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // Not the parser's message: it quotes the line, and the redactor can't recognize a part of a key.
    return refuse({ command: "parse" }, "Not valid JSON");
  }
  const { id, command } = nameOf(value);
  const problem = problemOfId(id, line, redact);
  if (problem !== undefined) return refuse({ command }, problem);
  const parsed = rpcCommandSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  // The id has no problem, so it is a string or a number.
  const known = id === undefined ? { command } : { id: id as string | number, command };
  return refuse(known, z.prettifyError(parsed.error));
}

/** The response to a line that was skipped. */
export function refuseLongLine(mostChars: number): RpcResponse {
  return refuse({ command: "parse" }, `Line skipped: longer than ${mostChars} characters`);
}

function refuse(name: Pick<RpcResponse, "id" | "command">, error: string): RpcResponse {
  return { ...name, type: "response", success: false, error };
}

/** The id and type of a command, as far as they are known. */
function nameOf(value: unknown): { readonly id?: unknown; readonly command: string } {
  if (typeof value !== "object" || value === null) return { command: "unknown" };
  const { id, type } = value as { readonly id?: unknown; readonly type?: unknown };
  return { id, command: typeof type === "string" ? type : "unknown" };
}
