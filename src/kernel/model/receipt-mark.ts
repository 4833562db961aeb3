import type { Receipt } from "./receipt.ts";

/**
 * Under this symbol an error of ours has its receipt. It is registered, because a program may hold two copies of the package, and
 * `instanceof` does not know the errors of the other one.
 */
export const RECEIPT: unique symbol = Symbol.for("secondwind.receipt");

/** Where all copies of the package find the receipts of errors that are not ours. Those may be frozen, and nothing is added to them. */
const RECEIPTS: unique symbol = Symbol.for("secondwind.receipts");

interface Shared {
  [RECEIPTS]?: WeakMap<object, Receipt>;
}

/** Remembers the receipt of the generation that an error has ended. */
export function setReceipt(error: unknown, receipt: Receipt): void {
  if (typeof error !== "object" || error === null) return;
  const shared = globalThis as Shared;
  shared[RECEIPTS] ??= new WeakMap();
  shared[RECEIPTS].set(error, receipt);
}

/** The receipt of the outermost generation that an error has ended. Never throws. */
export function receiptOn(error: unknown): Receipt | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  return (globalThis as Shared)[RECEIPTS]?.get(error) ?? ownReceipt(error);
}

/** The receipt that an error of ours was made with, whichever copy of the package has made it. */
export function ownReceipt(error: object): Receipt | undefined {
  try {
    return (error as { [RECEIPT]?: Receipt })[RECEIPT];
  } catch {
    // A proxy may refuse to be looked at.
    return undefined;
  }
}
