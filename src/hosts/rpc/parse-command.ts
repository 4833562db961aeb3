import { z } from "zod";
import { type RpcCommand, type RpcResponse, rpcCommandSchema } from "../../wire/index.ts";

export type ParsedLine =
  | { readonly ok: true; readonly command: RpcCommand }
  | { readonly ok: false; readonly response: RpcResponse };

/** A line of the input: a command, or the answer to whoever sent nonsense. */
export function parseCommand(line: string): ParsedLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // Not in the parser's words: they quote the line, and a piece of a key is too short for the redactor to know it.
    return refuse({ command: "parse" }, "The line is no JSON");
  }
  const parsed = rpcCommandSchema.safeParse(value);
  if (parsed.success) return { ok: true, command: parsed.data };
  return refuse(nameOf(value), z.prettifyError(parsed.error));
}

/** The answer to a line that was let go unread. */
export function refuseLongLine(mostChars: number): ParsedLine {
  return refuse({ command: "parse" }, `The line is longer than ${mostChars} characters; it was skipped`);
}

function refuse(name: Pick<RpcResponse, "id" | "command">, error: string): ParsedLine {
  return { ok: false, response: { ...name, type: "response", success: false, error } };
}

/** As much of a bad command as can be given back. */
function nameOf(value: unknown): Pick<RpcResponse, "id" | "command"> {
  if (typeof value !== "object" || value === null) return { command: "unknown" };
  const { id, type } = value as { readonly id?: unknown; readonly type?: unknown };
  return {
    ...((typeof id === "string" || typeof id === "number") && { id }),
    command: typeof type === "string" ? type : "unknown",
  };
}
