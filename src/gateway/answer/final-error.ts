import { statusOfKind, type WireFormat } from "../../formats/index.ts";
import type { Failure, Receipt, StopReason } from "../../kernel/index.ts";
import { AnswerError } from "../../library/answer-error.ts";
import { ResponseError } from "../../library/response-error.ts";
import { errorBody, type GatewayError } from "./error-shape.ts";
import { reasonPair, receiptPairs } from "./receipt-pairs.ts";

/** What a request ends with that has no answer. */
export interface FinalError {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string;
}

interface Failed {
  readonly failure: Failure | undefined;
  readonly reason: StopReason | undefined;
  readonly receipt: Receipt;
}

const NOT_PASSED: ReadonlySet<string> = new Set(
  "connection keep-alive transfer-encoding content-length content-encoding trailer upgrade".split(" "),
);

/** The endpoint's own status and body if it gave one, else an error of ours in the format's shape. */
export function finalError(format: WireFormat, failed: Failed): FinalError {
  const { failure, receipt, reason } = failed;
  const cause = failure?.cause;
  const headers = [
    ...receiptPairs(receipt),
    ...reasonPair(reason),
    // Clients that know this header do not try again what was given up here.
    "x-should-retry",
    "false",
    ...(failure?.hintMs === undefined ? [] : ["retry-after", String(Math.ceil(failure.hintMs / 1000))]),
  ];
  // Not a redirect: the client would follow it, with its key.
  if (cause instanceof ResponseError && cause.status >= 400)
    return { status: cause.status, headers: [...theirs(cause.headers, failure), ...headers], body: cause.body };
  if (cause instanceof AnswerError && isWrapped(cause.error)) {
    const status = failure === undefined ? 502 : goodStatus(failure);
    return { status, headers: ["content-type", "application/json", ...headers], body: JSON.stringify(cause.error) };
  }
  const error = ownError(failed);
  return {
    status: error.status,
    headers: ["content-type", "application/json", ...headers],
    body: errorBody(format, error),
  };
}

export function ownError({ failure, reason = "engine-fault", receipt }: Failed): GatewayError {
  const calls = receipt.attempts === 1 ? "1 attempt" : `${receipt.attempts} attempts`;
  const message = `${failure?.message ?? "The request could not be answered"} (${reason} after ${calls})`;
  const isHeldBack = failure?.evidence.startsWith("health:") === true;
  return { status: isHeldBack ? 503 : failure === undefined ? 502 : goodStatus(failure), message, code: reason };
}

function goodStatus({ status, kind }: Failure): number {
  return status !== undefined && status >= 400 && status <= 599 ? status : statusOfKind(kind);
}

function theirs(headers: Readonly<Record<string, string>>, failure: Failure | undefined): string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (NOT_PASSED.has(name) || name === "x-should-retry" || name.startsWith("x-secondwind-")) return [];
    // A hint that stands in the body too is said once, in the header.
    return name === "retry-after" && failure?.hintMs !== undefined ? [] : [name, value];
  });
}

function isWrapped(error: unknown): boolean {
  return typeof error === "object" && error !== null && "error" in error;
}
