import { FAILURE_KINDS, type Failure, type GivenUp } from "../model/failure.ts";
import type { Receipt } from "../model/receipt.ts";
import { ownReceipt, receiptOn } from "../model/receipt-mark.ts";
import type { HeaderLookup } from "./read-headers.ts";

/** What a layer below has given up, and the failure that it ended with, if its error carries one. */
export interface FoundBelow {
  readonly below: GivenUp;
  readonly failure: Failure | undefined;
}

type Node = Readonly<Record<string, unknown>>;

/** Errors that are looked at: SDKs wrap what `fetch` threw once or twice, and each of our layers wraps it once more. */
const MOST_ERRORS = 16;

/** With these the layer below was a plain call, or did not end with a failure. */
const NOT_GIVEN_UP: ReadonlySet<string> = new Set(["disabled", "filtered", "succeeded", "running"]);

/** Looks for an error of a layer below, in the problem and in what caused it. Total: any value, any cycle, any getter. */
export function findGivenUp(problem: unknown): FoundBelow | undefined {
  const errors: unknown[] = [problem];
  for (let i = 0; i < errors.length && i < MOST_ERRORS; i++) {
    const error = errors[i];
    const found = givenUpBy(error);
    if (found !== undefined) return found;
    try {
      addCauses(errors, error as Node);
    } catch {
      // Nothing, or a getter or a trap threw: what caused this one stays unknown.
    }
  }
  return undefined;
}

/** The same from the headers of a response that our `fetch` or gateway has given. */
export function givenUpInHeaders(headers: HeaderLookup): GivenUp | undefined {
  const attempts = countIn(headers.get("x-secondwind-attempts"));
  if (attempts === undefined) return undefined;
  const outcome = headers.get("x-secondwind-outcome") ?? "";
  if (NOT_GIVEN_UP.has(outcome)) return undefined;
  return { calls: countIn(headers.get("x-secondwind-calls")) ?? attempts, outcome };
}

function countIn(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

function addCauses(errors: unknown[], { cause, lastError, error, errors: several }: Node): void {
  if (cause !== undefined) errors.push(cause);
  // `RetryError` of the AI SDK, the events of streams, `AggregateError`.
  if (lastError !== undefined) errors.push(lastError);
  if (error !== undefined) errors.push(error);
  if (Array.isArray(several)) errors.push(...several.slice(0, MOST_ERRORS));
}

/**
 * An error that is not ours, thrown after a single call, does not count, though it has a receipt: nothing was retried, so a retry here
 * multiplies nothing; and one error object may end several calls at once, as when a connection breaks.
 */
function givenUpBy(error: unknown): FoundBelow | undefined {
  const receipt: Partial<Receipt> | undefined = receiptOn(error);
  if (typeof receipt !== "object" || receipt === null) return undefined;
  const { attempts, calls = attempts, outcome } = receipt;
  if (typeof calls !== "number" || !(calls >= 0) || typeof outcome !== "string") return undefined;
  if (NOT_GIVEN_UP.has(outcome)) return undefined;
  const isOurs = ownReceipt(error as object) !== undefined;
  if (!isOurs && calls <= 1 && outcome !== "gave-up") return undefined;
  return { below: { calls, outcome }, failure: isOurs ? failureOf(error as Node) : undefined };
}

/** The other copy of the package may be of another version. */
function failureOf({ failure }: Node): Failure | undefined {
  if (typeof failure !== "object" || failure === null) return undefined;
  const { kind, scope, message } = failure as Partial<Failure>;
  const isWhole = FAILURE_KINDS.some((known) => known === kind) && typeof scope === "string";
  return isWhole && typeof message === "string" ? (failure as Failure) : undefined;
}
