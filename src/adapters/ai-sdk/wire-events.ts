import type { LanguageModelV3FinishReason, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { AnswerReader, isFields, listOf, type Meaning } from "../../formats/index.ts";

type Part = LanguageModelV3StreamPart;
type Unified = LanguageModelV3FinishReason["unified"];

/** OpenAI's words, and Google's. The providers forget them when something that they can't read comes after the terminal marker. */
const UNIFIED: Readonly<Record<string, Unified>> = {
  stop: "stop",
  length: "length",
  max_output_tokens: "length",
  tool_calls: "tool-calls",
  function_call: "tool-calls",
  content_filter: "content-filter",
  STOP: "stop",
  MAX_TOKENS: "length",
};

/**
 * The events behind the parts of one answer. Parts alone do not show what comes after the terminal marker, and an event that the
 * provider does not know comes as an error. Of a wire format that is not known here nothing is left out.
 */
export class WireEvents {
  /** What ended the answer, in the provider's word. */
  reason: string | undefined = undefined;
  /** An event that could not be read, before any that could. */
  fault: { readonly problem: unknown } | undefined = undefined;
  private readonly reader = new AnswerReader();
  private leftOutCalls: Set<string> | undefined = undefined;
  private isKnown = false;
  private hasEnded = false;
  private isAfterEnd = false;
  /** The last event as JSON, if it came after the end. */
  private extra = "";

  read(event: unknown): void {
    this.isAfterEnd = this.hasEnded;
    const meaning = this.reader.read(event);
    this.extra = this.isAfterEnd && meaning !== "noise" ? JSON.stringify(event) : "";
    if (meaning === "unknown" || meaning === "noise") return;
    this.isKnown = true;
    if (this.hasEnded || !isEnd(meaning)) return;
    this.hasEnded = true;
    this.reason = reasonIn(event);
  }

  /** Whether a part comes from an event that counts for nothing. Called once for each part, in order. */
  leavesOut(part: Part): boolean {
    switch (part.type) {
      case "error":
        return this.isAfterEnd || this.isUnknown(part.error);
      case "text-delta":
      case "reasoning-delta":
        return this.isExtra(part.delta);
      case "tool-input-start":
        if (!this.isExtra(part.toolName)) return false;
        this.leftOutCalls ??= new Set();
        this.leftOutCalls.add(part.id);
        return true;
      case "tool-input-delta":
      case "tool-input-end":
        return this.leftOutCalls?.has(part.id) === true;
      case "tool-call":
        return this.leftOutCalls?.has(part.toolCallId) === true;
      default:
        return false;
    }
  }

  /** After the end, middleware below may still give out what it has held back: only what the late event itself says is left out. */
  private isExtra(said: string): boolean {
    return this.extra !== "" && this.extra.includes(JSON.stringify(said));
  }

  /** The finish reason, also where an unreadable event after the end has replaced it. */
  finishReason(given: LanguageModelV3FinishReason, hasTools: boolean): LanguageModelV3FinishReason {
    const { reason } = this;
    // OpenAI's provider calls it "error", after an error event.
    const isLost = (given.raw ?? "error") === "error" && (given.unified === "error" || given.unified === "other");
    if (!isLost || reason === undefined) return given;
    const unified = UNIFIED[reason] ?? "other";
    return { unified: unified === "stop" && hasTools ? "tool-calls" : unified, raw: reason };
  }

  /** Data with an empty value is nothing. An event of a new type is ignored, once it is clear that the others can be read. */
  private isUnknown(error: unknown): boolean {
    if (!isFields(error) && !(error instanceof Error)) return false;
    const { name, text, value } = error as {
      readonly name?: unknown;
      readonly text?: unknown;
      readonly value?: unknown;
    };
    if (name === "AI_JSONParseError" && text === "") return true;
    if (name !== "AI_TypeValidationError" || !isNew(value)) return false;
    if (!this.isKnown) this.fault ??= { problem: error };
    return true;
  }

  /** Nothing could be read, so that what could not was not just one new event. */
  get unreadable(): { readonly problem: unknown } | undefined {
    return this.isKnown ? undefined : this.fault;
  }
}

/** What every release of Anthropic's provider knows inside of its events. */
const OLD_KINDS = /^(?:text|(?:redacted_)?thinking|signature|tool_use|input_json)(?:_delta)?$/;

/** An event of a type that the provider's release may be too old for: of the event itself, or of the block or delta in it. */
function isNew(event: unknown): boolean {
  if (!isFields(event)) return false;
  if (new AnswerReader().read(event) === "unknown") return true;
  if (event.type !== "content_block_start" && event.type !== "content_block_delta") return false;
  const inside = event.content_block ?? event.delta;
  return isFields(inside) && typeof inside.type === "string" && !OLD_KINDS.test(inside.type);
}

function isEnd(meaning: Meaning): boolean {
  return typeof meaning === "string" && /(?:end|last)$/.test(meaning);
}

/** The reason of a chat, of a response, or of a candidate. Anthropic's provider does not lose its own. */
function reasonIn(event: unknown): string | undefined {
  if (!isFields(event)) return undefined;
  const [choice] = listOf(event.choices ?? event.candidates);
  const reason = choice?.finish_reason ?? choice?.finishReason;
  if (typeof reason === "string") return reason;
  if (event.type === "response.completed") return "stop";
  if (event.type !== "response.incomplete" || !isFields(event.response)) return undefined;
  const { incomplete_details: details } = event.response;
  return isFields(details) && typeof details.reason === "string" ? details.reason : "other";
}
