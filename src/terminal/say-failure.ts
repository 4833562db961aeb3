import { STATUS_CODES } from "node:http";
import type { Failure } from "../kernel/index.ts";
import { cleanText } from "./clean-text.ts";
import { sayKind } from "./say-kind.ts";

/** Statuses that are not in the HTTP standard. */
const THEIR_OWN: Readonly<Record<number, string>> = { 529: "Overloaded" };

/** Only codes that are a single word are shown. */
const WORD = /^\w{1,40}$/;

/**
 * A failure in a few words: "502 Bad Gateway", "Connection failed, ECONNREFUSED". A broken stream started with 200, which is not
 * what went wrong, so statuses below 400 are not shown.
 */
export function sayFailure({ status, code, kind }: Pick<Failure, "kind"> & Partial<Failure>): string {
  if (status !== undefined && status >= 400)
    return `${status} ${THEIR_OWN[status] ?? STATUS_CODES[status] ?? sayKind(kind)}`;
  return code !== undefined && WORD.test(code) ? `${sayKind(kind)}, ${code}` : sayKind(kind);
}

/** Whether no call was made. The engine wrote the message of such a failure, in words. */
export function isHealth({ evidence }: Pick<Failure, "evidence">): boolean {
  return evidence.startsWith("health:");
}

/** Why a call is retried, in words: never the endpoint's message, which is often JSON. */
export function sayReason(failure: Pick<Failure, "kind" | "evidence"> & Partial<Failure>, message: string): string {
  return isHealth(failure) ? sayMessage(message) : sayFailure(failure);
}

const MOST_MESSAGE_CHARS = 500;

/** The endpoint's message on one line, cut if it is long. */
export function sayMessage(message: string): string {
  const line = cleanText(message).replace(/\s+/g, " ").trim();
  return line.length > MOST_MESSAGE_CHARS ? `${[...line].slice(0, MOST_MESSAGE_CHARS).join("")}…` : line;
}
