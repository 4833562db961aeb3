import type { StreamGeneration } from "../kernel/index.ts";
import type { ModelEvent } from "../providers/open-model-call.ts";
import type { FinishReason } from "../providers/provider.ts";
import { verbatimOf } from "../providers/verbatim-of.ts";
import type { AssistantMessage, AssistantPart, ToolCallPart, Usage } from "../wire/message.ts";

/** An answer while it comes in. */
export class AssistantDraft {
  readonly #model: string;
  #parts: AssistantPart[] = [];
  #usage: Usage | undefined;
  #finish: FinishReason | undefined;

  constructor(model: string) {
    this.#model = model;
  }

  get finishReason(): FinishReason {
    return this.#finish ?? "end";
  }

  get toolCalls(): readonly ToolCallPart[] {
    return this.#parts.filter((part) => part.type === "tool-call");
  }

  get text(): string {
    return this.#parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  }

  add(event: ModelEvent): void {
    switch (event.type) {
      case "text":
        return this.#addText(event.text);
      case "reasoning":
        return this.#addReasoning(event.text, event.providerData);
      case "tool-call":
        this.#parts.push({ ...event });
        return;
      case "usage":
        this.#usage = { inputTokens: event.inputTokens, outputTokens: event.outputTokens };
        return;
      case "finish":
        this.#finish = event.reason;
        return;
      case "discard":
        this.#parts = [];
        this.#usage = undefined;
        return;
      case "alive":
      case "error":
        return;
      default:
        event satisfies never;
    }
  }

  /** The whole answer. */
  finish(): AssistantMessage {
    return this.#message(this.finishReason, this.#parts);
  }

  /**
   * The partial text of an answer that did not finish, without its tool calls: they were not made, and a call
   * without a result would be refused when the history is sent.
   */
  breakOff(stopReason: "error" | "aborted", errorMessage?: string): AssistantMessage {
    const parts = this.#parts.filter((part) => part.type !== "tool-call");
    return { ...this.#message(stopReason, parts), ...(errorMessage !== undefined && { errorMessage }) };
  }

  #message(stopReason: AssistantMessage["stopReason"], parts: readonly AssistantPart[]): AssistantMessage {
    const usage = this.#usage;
    return {
      role: "assistant",
      parts: [...parts],
      model: this.#model,
      stopReason,
      ...(usage !== undefined && { usage }),
    };
  }

  #addText(text: string): void {
    if (text === "") return;
    const last = this.#parts.at(-1);
    if (last?.type === "text") this.#replaceLast({ type: "text", text: last.text + text });
    else this.#parts.push({ type: "text", text });
  }

  /** A signature closes its block: what follows it is another one. */
  #addReasoning(text: string, providerData: unknown): void {
    if (text === "" && providerData === undefined) return;
    const data = providerData === undefined ? {} : { providerData };
    const last = this.#parts.at(-1);
    if (last?.type === "reasoning" && last.providerData === undefined)
      this.#replaceLast({ type: "reasoning", text: last.text + text, ...data });
    else this.#parts.push({ type: "reasoning", text, ...data });
  }

  #replaceLast(part: AssistantPart): void {
    this.#parts = [...this.#parts.slice(0, -1), part];
  }
}

/** The text of a whole answer. Rejects with the provider's words; after an abort with the signal's reason. */
export async function readText(
  generation: StreamGeneration<ModelEvent>,
  signal?: AbortSignal,
  note?: (item: ModelEvent) => void,
): Promise<string> {
  const draft = new AssistantDraft("");
  try {
    for await (const event of generation) {
      draft.add(event);
      note?.(event);
    }
  } catch (thrown) {
    const { failure } = generation;
    throw failure === undefined || signal?.aborted === true ? thrown : new Error(verbatimOf(failure));
  }
  return draft.text;
}
