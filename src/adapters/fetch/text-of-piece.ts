import type { Piece } from "../../formats/index.ts";
import { textOf } from "../../library/text-of.ts";

/** The text that a piece of an answer carries, for required content. */
export function textOfPiece({ events = [] }: Piece): string {
  return events.map((event) => textOf(event) ?? "").join("");
}
