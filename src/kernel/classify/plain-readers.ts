import { isKnownCode } from "./code-table.ts";
import { addCode, addStatus, addText, addWait, type Facts } from "./facts.ts";
import { PROGRAM_ERRORS } from "./own-crash.ts";

export type Node = Readonly<Record<string, unknown>>;

export interface Place {
  readonly node: Node;
  readonly depth: number;
  readonly facts: Facts;
}

/** Reads a property that has this value. */
export type Reader = (value: unknown, at: Place) => void;

export const asCode: Reader = (value, { facts }) => addCode(facts, value);
export const asStatusOrCode: Reader = (value, { facts, depth }) => {
  addStatus(facts, value, depth);
  addCode(facts, value);
};
// The AI SDK makes a 500 of an error event at the start of Anthropic's stream. A real one it calls worth a retry.
export const asSdkStatus: Reader = (value, at) => {
  if (value !== 500 || at.node.isRetryable !== false) asStatusOrCode(value, at);
};
// one-api and its descendants put their upstream's status there; beside words of its own it is often a leftover.
export const asUpstreamStatus: Reader = (value, { facts, depth, node }) => {
  const { code, message } = node;
  if (code !== "bad_response_status_code" || typeof message !== "string") return;
  if (typeof value === "string" && /^\s*(?:\(request id|$)/.test(message)) addStatus(facts, value, depth);
};
// These say something in every good answer too: only what the code table knows is a fault.
export const asCodeIfKnown: Reader = (value, { facts }) => {
  if (isKnownCode(value)) addCode(facts, value);
};
export const asText: Reader = (value, { facts }) => addText(facts, value);
export const asHeaders: Reader = (value, { facts }) => {
  if (typeof value !== "object" || value === null) return;
  facts.headers.push(value);
  try {
    // An event of AWS has its class among its headers, and a status of its frame.
    addCode(facts, (value as Node)[":exception-type"]);
  } catch {
    // A getter or a trap threw.
  }
};
export const asQuota: Reader = (value, { facts }) => {
  if (typeof value === "string") facts.quotas += `${value.slice(0, 200)} `;
};
export const asName: Reader = (value, at) => {
  if (at.depth === 0 && typeof value === "string") at.facts.hasName = true;
  if (value === "Error") return;
  if (at.depth === 0 && PROGRAM_ERRORS.has(value)) at.facts.programError = value as string;
  else if (isKnownCode(value)) at.facts.names.push(value as string);
};
export const asFlag: Reader = (value, { facts }) => {
  if (typeof value === "boolean") facts.retryable ??= value;
};
// The AI SDK derives this one from the status, or says so of whatever kept it from connecting; it only adds something where there is neither.
export const asDerivedFlag: Reader = (value, { facts, node }) => {
  if (value === true && node.statusCode === undefined && node.cause === undefined) facts.retryable ??= true;
};
export const asRetryDelay: Reader = (value, at) => {
  const type = at.node["@type"];
  if (typeof type === "string" && type.includes("RetryInfo")) at.facts.retryDelay ??= value;
  else addWait(at.facts, "retryDelay", value);
};
export const asResetDelay: Reader = (value, { facts }) => {
  facts.retryDelay ??= value;
};
