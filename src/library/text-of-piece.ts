import type { TextOf } from "../kernel/index.ts";
import { textOf } from "./text-of.ts";

/** What an HTTP door checks for required content: a piece of a stream, a whole answer, or a response that is no generation. */
interface Checked {
  /** Of pieces and whole answers. */
  readonly reading?: unknown;
  readonly events?: readonly unknown[];
  /** Embeddings or a count of tokens: no text is required of them. */
  readonly isQuery?: boolean;
}

/** The text that a piece of an answer carries. */
export function textOfPiece(answer: unknown): TextOf {
  const { reading, events, isQuery = false } = answer as Checked;
  if (isQuery || reading === undefined) return true;
  return (events ?? []).map((event) => textOf(event) ?? "").join("");
}
