import { statusOfKind, type WireFormat } from "../../formats/index.ts";
import type { Failure, Receipt, StopReason } from "../../kernel/index.ts";
import { AnswerError } from "../../library/answer-error.ts";
import { isLeftAbove } from "../../library/given-up.ts";
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

/** Why a generation ended that a closing gateway could not wait for. */
export class GatewayClosed extends Error {
  constructor() {
    super("The gateway is shutting down");
  }
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
  // Elsewhere, or a moment later, there may be another gateway.
  if (cause instanceof GatewayClosed) return closedError(format, failed);
  const headers = [
    ...receiptPairs(receipt),
    ...reasonPair(reason),
    // Clients that know this header do not try again what was given up here.
    ...(isLeftAbove(reason) ? [] : ["x-should-retry", "false"]),
    ...(failure?.hintMs === undefined ? [] : ["retry-after", String(Math.ceil(failure.hintMs / 1000))]),
  ];
  // Not a redirect: the client would follow it, with its key.
  if (cause instanceof ResponseError && cause.status >= 400)
    return { status: cause.status, headers: [...theirs(cause.headers, failed), ...headers], body: cause.body };
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

function closedError(format: WireFormat, failed: Failed): FinalError {
  const headers = ["content-type", "application/json", ...receiptPairs(failed.receipt), "retry-after", "1"];
  return { status: 503, headers, body: errorBody(format, ownError(failed)) };
}

export function ownError({ failure, reason = "engine-fault", receipt }: Failed): GatewayError {
  if (failure?.cause instanceof GatewayClosed) return { status: 503, message: failure.cause.message, code: "busy" };
  const calls = receipt.attempts === 1 ? "1 attempt" : `${receipt.attempts} attempts`;
  const message = `${failure?.message ?? "The request could not be answered"} (${reason} after ${calls})`;
  const isHeldBack = failure?.evidence.startsWith("health:") === true;
  return { status: isHeldBack ? 503 : failure === undefined ? 502 : goodStatus(failure), message, code: reason };
}

function goodStatus({ status, kind }: Failure): number {
  return status !== undefined && status >= 400 && status <= 599 ? status : statusOfKind(kind);
}

function theirs(headers: Readonly<Record<string, string>>, { failure, reason }: Failed): string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (NOT_PASSED.has(name) || name.startsWith("x-secondwind-")) return [];
    if (name === "x-should-retry" && !isLeftAbove(reason)) return [];
    // A hint that stands in the body too is said once, in the header.
    return name === "retry-after" && failure?.hintMs !== undefined ? [] : [name, value];
  });
}

function isWrapped(error: unknown): boolean {
  return typeof error === "object" && error !== null && "error" in error;
}
