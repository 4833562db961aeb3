import { clip, MOST_CODES, MOST_TEXT_CHARS } from "./bounds.ts";

/** Everything that a problem contains about itself, gathered once and flat, before anything is decided. */
export class Facts {
  /** The HTTP status: the outermost failing one; a 1xx to 3xx only if there is no other. */
  status: number | undefined = undefined;
  statusDepth = Number.POSITIVE_INFINITY;
  /** Types, codes, reasons and errnos as written, outermost first. */
  readonly codes: string[] = [];
  /** Names of error classes that the code table knows. */
  readonly names: string[] = [];
  /** Whether the problem itself has the name of an error class, `Error` included. */
  hasName = false;
  /** Human texts, outermost first, bounded. */
  texts = "";
  /** The deepest human message, verbatim and whole. */
  message: string | undefined = undefined;
  messageDepth = -1;
  /** Header bags of any shape, outermost first. */
  readonly headers: object[] = [];
  /** Names of the quotas that were violated (Google). */
  quotas = "";
  /** The `retryable` flag of the endpoint's event. */
  retryable: boolean | undefined = undefined;
  /** `RetryInfo.retryDelay` of google.rpc, as written. */
  retryDelay: unknown = undefined;
  /** Fields that may name a wait, in lower case, each on its line: `retry_after: 5`, `resetms: 300`. */
  waits = "";
  /** When the limit ends according to a body, in epoch seconds. */
  resetsAt: unknown = undefined;
  /** A good answer with nothing in it, and nothing about why. */
  isEmptyAnswer = false;
  /** `TypeError` and its like, when the problem is such an error. */
  programError: string | undefined = undefined;
  /** The objects that texts carry, outermost first: each one a layer with facts of its own. All of them are also in here. */
  readonly layers: Facts[] = [];
  /** A layer: the end of the text in front of it, which may name its status ("Error code: 400 - "). */
  lead = "";
  /** Nodes visited so far: the bound that makes cycles and huge bodies harmless. */
  nodes = 0;

  /** As new, so that the next problem of an outage costs no object. */
  clear(): void {
    this.status = undefined;
    this.statusDepth = Number.POSITIVE_INFINITY;
    if (this.codes.length > 0) this.codes.length = 0;
    if (this.names.length > 0) this.names.length = 0;
    this.hasName = false;
    this.texts = "";
    this.message = undefined;
    this.messageDepth = -1;
    if (this.headers.length > 0) this.headers.length = 0;
    this.quotas = "";
    this.retryable = undefined;
    this.retryDelay = undefined;
    this.waits = "";
    this.resetsAt = undefined;
    this.isEmptyAnswer = false;
    this.programError = undefined;
    if (this.layers.length > 0) this.layers.length = 0;
    this.lead = "";
    this.nodes = 0;
  }
}

/**
 * Whether two problems state the same about what went wrong. Where it was found and its message do not matter; their layers
 * are part of the same texts.
 */
export function isSameStatement(a: Facts, b: Facts): boolean {
  return (
    a.texts === b.texts &&
    a.status === b.status &&
    a.quotas === b.quotas &&
    a.retryable === b.retryable &&
    a.hasName === b.hasName &&
    a.isEmptyAnswer === b.isEmptyAnswer &&
    a.programError === b.programError &&
    a.retryDelay === b.retryDelay &&
    a.waits === b.waits &&
    a.resetsAt === b.resetsAt &&
    isSameList(a.codes, b.codes) &&
    isSameList(a.names, b.names) &&
    isSameList(a.headers, b.headers)
  );
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

export function addStatus(facts: Facts, value: unknown, depth: number): void {
  const status = typeof value === "string" ? statusInCode(value) : value;
  if (typeof status !== "number" || status < 100 || status > 599 || !Number.isInteger(status)) return;
  const isBetter = isFailing(status) === isFailing(facts.status) ? depth < facts.statusDepth : isFailing(status);
  if (!isBetter) return;
  facts.status = status;
  facts.statusDepth = depth;
}

export function isFailing(status: number | undefined): boolean {
  return (status ?? 0) >= 400;
}

/** "429", and Huawei's "InferHub.ModelArts.81101.429". */
function statusInCode(code: string): number | undefined {
  if (code.length > 64 || !/(?:^|\.)[45]\d\d$/.test(code)) return undefined;
  return Number(code.slice(-3));
}

export function addCode(facts: Facts, value: unknown): void {
  if (facts.codes.length >= MOST_CODES) return;
  if (typeof value === "number") {
    // Zhipu's 1302, MiniMax' 1008, Baidu's 336503; an HTTP status is not a code.
    if (Number.isInteger(value) && (value > 599 || value < 100)) facts.codes.push(String(value));
    return;
  }
  if (typeof value !== "string" || value === "") return;
  // Some put a reason phrase or a sentence where others put a code.
  if (value.includes(" ")) addText(facts, value);
  else if (value !== "error" && !/^[45]\d\d$/.test(value)) facts.codes.push(value);
}

export function addMessage(facts: Facts, text: string, depth: number): void {
  if (depth >= facts.messageDepth) {
    facts.message = text;
    facts.messageDepth = depth;
  }
  addText(facts, text);
}

/** The message of a layer counts where the whole has none that is deeper. */
export function addMessageOfLayer(facts: Facts, message: string, depth: number): void {
  if (depth < facts.messageDepth) return;
  facts.message = message;
  facts.messageDepth = depth;
}

/** Adds what a layer states to what the whole states: the outer statement counts where there can be only one. */
export function absorb(facts: Facts, layer: Facts, depth: number): void {
  addStatus(facts, layer.status, depth + layer.statusDepth);
  for (const code of layer.codes) if (facts.codes.length < MOST_CODES) facts.codes.push(code);
  facts.names.push(...layer.names);
  addText(facts, layer.texts);
  facts.headers.push(...layer.headers);
  facts.quotas += layer.quotas;
  facts.retryable ??= layer.retryable;
  facts.retryDelay ??= layer.retryDelay;
  facts.waits += layer.waits;
  facts.resetsAt ??= layer.resetsAt;
  facts.nodes = layer.nodes;
  const { layers } = layer;
  facts.layers.push(layer, ...layers);
}

export function addText(facts: Facts, text: unknown): void {
  if (typeof text !== "string" || facts.texts.length > MOST_TEXT_CHARS) return;
  if (facts.texts === "") facts.texts = clip(text);
  // SDKs repeat the message at every level.
  else if (!facts.texts.endsWith(text)) facts.texts += `\n${clip(text)}`;
}

const MOST_WAIT_CHARS = 32;
const MOST_WAITS_CHARS = 1_024;
/** Names that may be one of a wait; which they are is read later, where a hint is looked for. */
export const WAIT_NAME = /re(?:try|set)|wait|cool|clear|lock|again|available|estimated/i;

export function addWait(facts: Facts, name: string, value: unknown): void {
  const isValue = typeof value === "number" || (typeof value === "string" && value.length <= MOST_WAIT_CHARS);
  if (isValue && facts.waits.length < MOST_WAITS_CHARS) facts.waits += `${name}: ${value}\n`.toLowerCase();
}
