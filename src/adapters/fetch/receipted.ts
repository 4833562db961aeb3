import type { Receipt } from "../../kernel/index.ts";
import { receiptOf as receiptOfError } from "../../library/secondwind-error.ts";

/** What has a receipt: a generation, of a stream an unfinished one. */
export interface Receipted {
  readonly receipt: Receipt;
}

/** Where a response has its generation. Not a `WeakMap`: one entry for each call costs the collector more than the call costs us. */
export const GENERATION = Symbol("generation");

/** The receipt of a response of ours, or of an error that was thrown instead. Of a stream it is final once the stream has ended. */
export function receiptOf(answer: unknown): Receipt | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  return (answer as { [GENERATION]?: Receipted })[GENERATION]?.receipt ?? receiptOfError(answer);
}

export function keepReceipt(response: Response, generation: Receipted): Response {
  return Object.assign(response, { [GENERATION]: generation });
}
