import type { Failure, GenerationEvent } from "../../kernel/index.ts";
import type { ModelEvent } from "../../providers/open-model-call.ts";
import type { FinishReason } from "../../providers/provider.ts";
import { verbatimOf } from "../../providers/verbatim-of.ts";
import { AssistantDraft } from "../../turn/index.ts";
import type { AssistantMessage, PieceRedactor, ToolCallPart } from "../../wire/index.ts";
import { selectorOf } from "../../wire/selector.ts";
import type { SessionCore } from "../session-core.ts";

/** The answer of one step as the subscribers see it: shown while it comes in, kept as it ended, taken back if it failed. */
export class Showing {
  readonly #core: Pick<SessionCore, "recorder" | "ports" | "parts" | "options">;
  #draft: AssistantDraft;
  #messageId = "";
  #isShown = false;
  /** The kind of the last delta. */
  #kind: "text" | "reasoning" = "text";
  /** Holds back what may be the beginning of a secret until the rest arrives. */
  #pieces: PieceRedactor | undefined;
  /** A failing message that a retry will take back. */
  #failedId: string | undefined;

  constructor(core: SessionCore) {
    this.#core = core;
    this.#draft = new AssistantDraft(core.active);
  }

  /** Follows the attempts of the generation. */
  hear(event: GenerationEvent): void {
    switch (event.type) {
      case "attempt-start":
        this.#draft = new AssistantDraft(selectorOf(event.target));
        this.#isShown = false;
        return;
      case "attempt-end":
        // What a committed sink has shown ends the answer, and what it has not shown leaves no trace: see `breakOff`.
        // An abort ends the prompt, which keeps the answer as aborted.
        if (event.failure === undefined || event.failure.kind === "aborted") return;
        if (this.#core.options.sink !== "committed") this.fail(event.failure);
        return;
      // After each of them another attempt follows: the failing answer is not final.
      case "attempt-discard":
      case "wait-start":
      case "target-switch":
        return this.#takeBack();
      default:
    }
  }

  take(item: ModelEvent): void {
    this.#draft.add(item);
    if ((item.type !== "text" && item.type !== "reasoning") || item.text === "") return;
    this.#show();
    // Another kind is another text.
    if (item.type !== this.#kind) this.#flushPieces();
    this.#kind = item.type;
    this.#announceDelta(this.#pieces === undefined ? item.text : this.#pieces.push(item.text));
  }

  /** The step has its answer. */
  finish(): { readonly message: AssistantMessage; readonly calls: readonly ToolCallPart[] } {
    const message = this.#draft.finish();
    this.#keep(message);
    return { message, calls: this.#draft.toolCalls };
  }

  fail(failure: Failure): void {
    this.#keep(this.#draft.breakOff("error", verbatimOf(failure)));
    this.#failedId = this.#messageId;
  }

  /** How the answer ended. */
  get end(): { readonly finish: FinishReason; readonly hasText: boolean } {
    return { finish: this.#draft.finishReason, hasText: this.#draft.text !== "" };
  }

  /** Keeps the answer as failed. Only if there is text before the break does it stay in what the model is told. */
  breakOff(error: string): void {
    this.#keep(this.#draft.breakOff(this.end.hasText ? "aborted" : "error", error));
  }

  /** Aborted: what was shown so far was said. */
  abort(): void {
    if (this.#isShown) this.#keep(this.#draft.breakOff("aborted"));
  }

  #show(): void {
    if (this.#isShown) return;
    const { recorder, ports, parts } = this.#core;
    this.#isShown = true;
    this.#messageId = ports.newId();
    this.#kind = "text";
    this.#pieces = parts.redactPieces?.();
    recorder.announce({ type: "message_start", messageId: this.#messageId, role: "assistant" });
  }

  #flushPieces(): void {
    if (this.#pieces !== undefined) this.#announceDelta(this.#pieces.flush());
  }

  #announceDelta(delta: string): void {
    if (delta === "") return;
    this.#core.recorder.announce({ type: "message_delta", messageId: this.#messageId, kind: this.#kind, delta });
  }

  #keep(message: AssistantMessage): void {
    this.#show();
    this.#flushPieces();
    const { recorder } = this.#core;
    recorder.record({ type: "message", data: message }, { type: "message_end", messageId: this.#messageId, message });
    this.#isShown = false;
  }

  #takeBack(): void {
    if (this.#failedId === undefined) return;
    this.#core.recorder.announce({ type: "message_discard", messageId: this.#failedId });
    this.#failedId = undefined;
  }
}
