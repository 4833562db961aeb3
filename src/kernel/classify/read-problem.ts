import { clip, MOST_DEPTH, MOST_ITEMS, MOST_KEYS, MOST_NODES, MOST_TEXT_CHARS } from "./bounds.ts";
import { isKnownCode, meaningOf } from "./code-table.ts";
import { copyReadable } from "./copy-readable.ts";
import { errorInAnswer, isEmptyAnswer } from "./empty-answer.ts";
import {
  absorb,
  addCode,
  addMessage,
  addMessageOfLayer,
  addText,
  addWait,
  Facts,
  isFailing,
  WAIT_NAME,
} from "./facts.ts";
import { findReason } from "./find-reason.ts";
import { findStructures, type Structure } from "./find-structures.ts";
import { GRPC_NAMES } from "./grpc-names.ts";
import {
  asCode,
  asCodeIfKnown,
  asDerivedFlag,
  asFlag,
  asHeaders,
  asName,
  asQuota,
  asResetDelay,
  asRetryDelay,
  asSdkStatus,
  asStatusOrCode,
  asText,
  asUpstreamStatus,
  type Node,
  type Place,
  type Reader,
} from "./plain-readers.ts";
import { decodeBytes, unquoted, withoutEscapes } from "./raw-text.ts";
import { textOfPage } from "./text-of-page.ts";

const asMessage: Reader = (value, { facts, depth }) => {
  if (typeof value === "string") visitMessage(value, depth, facts);
  else visit(value, depth + 1, facts);
};
const asChild: Reader = (value, { facts, depth }) => visit(value, depth + 1, facts);
// Beside a message a plain `error` is its heading: {"error": "Too Many Requests", "message": "You have exceeded …"}.
const asError: Reader = (value, at) => {
  if (typeof value === "string" && typeof at.node.message === "string") addText(at.facts, value);
  else asChild(value, at);
};
// grpc-js: a number in `code`, the text in `details`.
const asDetails: Reader = (value, at) => {
  if (typeof value === "string" && typeof at.node.code === "number") addCode(at.facts, GRPC_NAMES[at.node.code]);
  asChild(value, at);
};
// Beside a code of Node's HTTP parser: the bytes of the answer that it could not read.
const asData: Reader = (value, at) => {
  if (typeof at.node.code !== "string" || !at.node.code.startsWith("HPE_")) asChild(value, at);
};

/** Every property that some SDK, provider or runtime uses to say what went wrong, and how to read it. */
const READERS: ReadonlyMap<string, Reader> = new Map([
  ...keys(asStatusOrCode, "status status_code httpStatusCode code Code error_code errorCode"),
  ...keys(asSdkStatus, "statusCode"),
  ...keys(asCode, "__type reason error_type blockReason"),
  ...keys(asStatusOrCode, "type"),
  ...keys(asUpstreamStatus, "param"),
  ...keys(asCodeIfKnown, "finishReason finish_reason"),
  ...keys(asName, "name"),
  ...keys(asQuota, "quotaId quota_limit"),
  ...keys((value, { facts }) => {
    facts.quotas += value === "0" || value === 0 ? "limit: 0 " : "";
  }, "quota_limit_value quotaValue"),
  ...keys(asFlag, "retryable"),
  ...keys(asDerivedFlag, "isRetryable"),
  ...keys(asRetryDelay, "retryDelay"),
  ...keys(asResetDelay, "quotaResetDelay"),
  ...keys((value, { facts }) => {
    facts.resetsAt ??= value;
  }, "resets_at"),
  ...keys(asMessage, "message Message msg error_msg errorMessage error_message error_description status_msg raw"),
  ...keys(asText, "description display_message"),
  ...keys(asHeaders, "headers responseHeaders"),
  ...keys(
    asChild,
    "cause errors lastError response Response responseBody body detail Error base_resp innererror header debug exception exc_info stack_trace",
  ),
  ...keys(
    asChild,
    "innerError caused_by root_cause violations metadata $metadata promptFeedback candidates choices incomplete_details",
  ),
  ...keys(asData, "data"),
  ...keys(asError, "error err"),
  ...keys(asDetails, "details"),
]);

/** Enough of the text in front of an object to hold "failed with status code 400: ". */
const LEAD_CHARS = 160;
const MOST_UNKNOWN_CHARS = 2_048;
/** Shorter ones are names and ids. */
const LEAST_SENTENCE_CHARS = 12;

/**
 * What class instances, and errors above all, keep where `for … in` does not see it: in getters and in properties that
 * are not enumerable. Spelled out, because a property read by its name is far cheaper than one read by a variable.
 */
function readHidden(node: Node, at: Place): void {
  const { name } = node;
  asName(name, at);
  asMessage(node.message, at);
  asStatusOrCode(node.status, at);
  asSdkStatus(node.statusCode, at);
  asStatusOrCode(node.code, at);
  asStatusOrCode(node.type, at);
  asHeaders(node.headers, at);
  // The AI SDK's own check of an answer has codes, and none of them is the endpoint's.
  if (name !== "AI_TypeValidationError") asChild(node.cause, at);
  asChild(node.errors, at);
  asError(node.error, at);
  asChild(node.body, at);
  // got and ofetch hide these two, so that an error is short when it is printed.
  asChild(node.response, at);
  asData(node.data, at);
}

const HIDDEN = "name message status statusCode code type headers cause errors error body response data".split(" ");
/** Without those that {@link readHidden} has read. */
const READERS_OF_OTHERS: ReadonlyMap<string, Reader> = new Map([...READERS].filter(([key]) => !HIDDEN.includes(key)));

function keys(reader: Reader, names: string): [string, Reader][] {
  return names.split(" ").map((name) => [name, reader]);
}

/** Gathers what a problem says, whatever it is. Never throws; visits a bounded number of nodes. */
export function readProblem(problem: unknown, facts = new Facts()): Facts {
  visit(problem, 0, facts);
  if (facts.texts === "" && facts.names.length === 0 && !facts.codes.some(isKnownCode)) readOtherTexts(problem, facts);
  // The name of a class says less than the code that its instance carries, and one for a broken connection or answer less than
  // a status: ofetch calls any answer with a failing one a `FetchError`.
  for (const name of facts.names)
    if (!isFailing(facts.status) || !/network|stream/.test(`${meaningOf(name)?.kind}`)) addCode(facts, name);
  return facts;
}

/** Nothing in the usual places: a text under another key may still say what went wrong (`{"streamed_data": "event: error …"}`). */
function readOtherTexts(problem: unknown, facts: Facts): void {
  try {
    const node = problem as { readonly body?: unknown } | null | undefined;
    const body: unknown = node?.body ?? node;
    if (typeof body !== "object" || body === null || ArrayBuffer.isView(body)) return;
    const said = errorInAnswer(body);
    if (said !== undefined) return visitMessage(said, 1, facts);
    facts.isEmptyAnswer = isEmptyAnswer(body);
    readSentences(body as Node, facts);
  } catch {
    // A getter or a trap threw: there is nothing else to read.
  }
  // Which of them is the message is not known.
  facts.message = undefined;
}

function readSentences(node: Node, facts: Facts): void {
  let count = 0;
  for (const key in node) {
    if (++count > MOST_ITEMS) break;
    const value = READERS.has(key) ? undefined : node[key];
    if (typeof value === "string" && value.length >= LEAST_SENTENCE_CHARS) visitMessage(value, 1, facts);
  }
}

function visit(value: unknown, depth: number, facts: Facts): void {
  if (typeof value === "string") {
    visitMessage(value, depth, facts);
    return;
  }
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return;
  if (depth > MOST_DEPTH || facts.nodes >= MOST_NODES) return;
  facts.nodes++;
  try {
    readNode(value as Node, depth, facts);
  } catch {
    // A getter or a trap threw. Read a copy made key by key, so that one bad property does not hide the others.
    readNode(copyReadable(value as Node, READERS.keys()), depth, facts);
  }
}

function readNode(node: Node, depth: number, facts: Facts): void {
  if (Array.isArray(node)) {
    for (let i = 0; i < MOST_ITEMS; i++) visit(node[i], depth + 1, facts);
    return;
  }
  // Bytes have millions of keys and say nothing by them; but they may be a body that was not decoded yet.
  if (ArrayBuffer.isView(node)) return visitMessage(decodeBytes(node), depth, facts);
  const at: Place = { node, depth, facts };
  const isPlain = Object.getPrototypeOf(node) === Object.prototype;
  if (!isPlain) readHidden(node, at);
  const readers = isPlain ? READERS : READERS_OF_OTHERS;
  let count = 0;
  for (const key in node) {
    if (++count > MOST_KEYS) return;
    const reader = readers.get(key);
    if (reader !== undefined) reader(node[key], at);
    // A fault in a stream of AWS: `{ throttlingException: { message: "…" } }`.
    else if (key.endsWith("Exception") && node[key]) {
      asCodeIfKnown(key, at);
      asChild(node[key], at);
    } else if (WAIT_NAME.test(key)) addWait(facts, key, node[key]);
  }
}

/** A text in the endpoint's words. It may itself be JSON, or carry some ("429 {…}"), or be a page around it. */
function visitMessage(given: string, depth: number, facts: Facts): void {
  const message = given.startsWith('"') ? unquoted(given) : given;
  if (message === "") return;
  const wasFull = facts.texts.length > MOST_TEXT_CHARS;
  const text = withoutEscapes(message);
  addMessage(facts, text, depth);
  if (facts.message === text) facts.message = message;
  if (wasFull) return;
  const inPage = textOfPage(text);
  if (inPage !== undefined) {
    readLayer(inPage, facts, { depth, lead: "" });
    return;
  }
  const reason = findReason(text);
  if (reason !== undefined) addReason(reason, facts);
  for (const structure of findStructures(text)) readStructure(structure, text, depth, facts);
}

/** A layer of words alone: it is a part of the same text, and what it carries is read with that. */
function addReason(reason: string, facts: Facts): void {
  const layer = new Facts();
  layer.texts = clip(reason);
  layer.message = reason;
  layer.lead = reason.slice(0, LEAD_CHARS);
  facts.layers.push(layer);
}

function readStructure({ value, start, end }: Structure, text: string, depth: number, facts: Facts): void {
  // Nothing but white space, a bracket or quotes around it: the text is an envelope.
  const isWhole = /^[\s["']*$/.test(text.slice(0, Math.min(start, 9)));
  // Nothing is known yet but a status and headers: this is the body that belongs to them.
  if (isWhole && depth <= 1 && facts.codes.length === 0 && facts.texts === clip(text)) {
    facts.texts = "";
    visit(value, depth + 1, facts);
    if (facts.texts === "") readWords(value, clip(text), facts);
    return;
  }
  const lead = text.slice(Math.max(0, start - LEAD_CHARS), start);
  // The AI SDK quotes an answer that it does not understand, and then what its own check has against it.
  const check = text.indexOf("Error message: [");
  if (check !== -1 && check < start && text.includes("Type validation failed: Value:")) return;
  const layer = readLayer(value, facts, { depth, lead });
  if (layer.texts === "") readWords(value, text.slice(start, Math.min(end, start + MOST_UNKNOWN_CHARS)), layer);
  if (isWhole && layer.message !== undefined) addMessageOfLayer(facts, layer.message, depth + layer.messageDepth);
}

/** None of the keys of a structure is known: it is a good answer without anything in it, or its words may still say something. */
function readWords(value: unknown, text: string, facts: Facts): void {
  facts.isEmptyAnswer = !facts.codes.some(isKnownCode) && isEmptyAnswer(value);
  facts.texts = text;
  const { message } = facts;
  if (text.length < MOST_UNKNOWN_CHARS) readSentences(value as Node, facts);
  facts.message = message;
}

/** Reads what a text carries as a layer: with facts of its own, which are also facts of the whole. */
function readLayer(value: unknown, facts: Facts, place: { readonly depth: number; readonly lead: string }): Facts {
  const layer = new Facts();
  layer.nodes = facts.nodes;
  layer.lead = place.lead;
  // Each layer has a depth of its own to be read; how many there can be is bounded by the nodes and by the text.
  visit(value, 1, layer);
  absorb(facts, layer, place.depth);
  return layer;
}
