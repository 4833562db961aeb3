import { checkBoolean, checkObject, checkString } from "../model/check.ts";

export type ToolArguments =
  | { readonly usable: true; readonly value: unknown }
  | { readonly usable: false; readonly reason: "stream-not-ended" | "not-json" };

/**
 * Tool arguments as they may be used: only when the stream has ended properly and the text parses. Half an argument
 * list can be valid JSON of another meaning (`1` of `100`), so parsing alone is not enough.
 */
export function toolArguments(received: { readonly text: string; readonly hasEnded: boolean }): ToolArguments {
  const given = checkObject("received", received, ["text", "hasEnded"]);
  const text = checkString("received.text", given.text);
  if (!checkBoolean("received.hasEnded", given.hasEnded)) return { usable: false, reason: "stream-not-ended" };
  try {
    // Providers send an empty text for a tool without arguments.
    return { usable: true, value: text.trim() === "" ? {} : JSON.parse(text) };
  } catch {
    return { usable: false, reason: "not-json" };
  }
}
