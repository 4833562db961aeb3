import { STATUS_CODES } from "node:http";
import type { Failure } from "../kernel/index.ts";
import { cleanText } from "./clean-text.ts";
import { sayKind } from "./say-kind.ts";

/** Statuses that providers made up. */
const THEIR_OWN: Readonly<Record<number, string>> = { 529: "Overloaded" };

/** A code of a provider or of the system is a word; anything else is not shown as one. */
const WORD = /^\w{1,40}$/;

/**
 * A failure in a few words: "502 Bad Gateway", "Connection failed, ECONNREFUSED". A stream that broke off came with "200 OK", which
 * is not what went wrong.
 */
export function sayFailure({ status, code, kind }: Pick<Failure, "kind"> & Partial<Failure>): string {
  if (status !== undefined && status >= 400)
    return `${status} ${THEIR_OWN[status] ?? STATUS_CODES[status] ?? sayKind(kind)}`;
  return code !== undefined && WORD.test(code) ? `${sayKind(kind)}, ${code}` : sayKind(kind);
}

const MOST_MESSAGE_CHARS = 500;

/** The endpoint's words on one line, cut where they become a page. */
export function sayMessage(message: string): string {
  const line = cleanText(message).replace(/\s+/g, " ").trim();
  return line.length > MOST_MESSAGE_CHARS ? `${[...line].slice(0, MOST_MESSAGE_CHARS).join("")}…` : line;
}
