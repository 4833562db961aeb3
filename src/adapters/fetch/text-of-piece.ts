import type { TextOf } from "../../kernel/index.ts";
import { textOf } from "../../library/text-of.ts";

/** The text that a piece of an answer carries, for required content. A response that is no generation needs none. */
export function textOfPiece(answer: unknown): TextOf {
  const { events } = answer as { readonly events?: readonly unknown[] };
  if (events === undefined) return answer instanceof Response ? true : "";
  return events.map((event) => textOf(event) ?? "").join("");
}
